import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseYaml } from 'yaml';
import { RESPONDED, type ControlEndpoint } from './control/endpoint.js';
import { CONTROL_PREFIX } from './control/prefix.js';
import { controlTable } from './control/table.js';
import { SandboxError } from './sandbox-error.js';
import type { Sandbox } from './sandbox.js';
import { bodyText, parseJson, readBody } from './http/body.js';
import { checkOrigin } from './http/guard.js';
import { sendJson } from './http/reply.js';
import { Router } from './http/router.js';
import type { Target } from './http/target.js';
import { reasonOf } from './reason.js';

/** Handles requests of the control plane, only from the sandbox's own pages and from programs. */
export class ControlHandler {
  readonly #router = new Router<ControlEndpoint>(controlTable, 'no_control_path');

  constructor(private readonly sandbox: Sandbox) {}

  async handle(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    checkOrigin(request);
    const path = target.path.slice(CONTROL_PREFIX.length);
    const { endpoint, params } = this.#router.route(request.method ?? 'GET', path);
    const bytes = await readBody(request);
    const result = await endpoint.handle({
      sandbox: this.sandbox,
      id: params['id'] ?? '',
      query: target.query,
      body: endpoint.hasBody ? readControlBody(endpoint, bytes, request) : undefined,
      message: request,
      response,
    });
    await this.sandbox.account.journal.written();
    if (result !== RESPONDED) sendJson(response, 200, result);
  }
}

function readControlBody(endpoint: ControlEndpoint, bytes: Buffer, request: IncomingMessage): unknown {
  const text = bodyText(bytes);
  const contentType = request.headers['content-type'];
  const isYaml = /^(application|text)\/(x-)?yaml\b/i.test(contentType ?? '');
  return endpoint.acceptsYaml && isYaml ? readYaml(text) : parseJson(text, contentType);
}

/** Reads YAML. @throws SandboxError 400 when it is none. */
function readYaml(text: string): unknown {
  try {
    const value: unknown = parseYaml(text, { maxAliasCount: 100 });
    return value;
  } catch (error) {
    throw new SandboxError({ code: 'body_not_yaml', reason: reasonOf(error) });
  }
}
