import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import * as z from 'zod';
import { isLocal } from '../http/guard.js';
import { SandboxError } from '../service/sandbox-error.js';
import type { answerMcp } from './answer.js';

/** Path of the MCP server below the control plane. */
export const MCP_PATH = '/mcp';

const moduleSchema = z.object({
  answerMcp: z.custom<typeof answerMcp>((value) => typeof value === 'function'),
});

/**
 * What answers MCP clients; loaded with the first of them, as its SDK is large and needed by few.
 *
 * @throws SandboxError 403 when the request comes from another machine, 501 when the SDK is not installed.
 */
export function loadMcp(request: IncomingMessage): typeof answerMcp {
  if (!isLocal(request)) {
    throw new SandboxError('The MCP server answers to programs of the same machine only.', 403);
  }
  const require = createRequire(__filename);
  try {
    require.resolve('@modelcontextprotocol/sdk/server/index.js');
  } catch {
    throw new SandboxError(
      "The MCP server needs the package '@modelcontextprotocol/sdk'; install it beside audience-sandbox.",
      501,
    );
  }
  return moduleSchema.parse(require('./answer.js')).answerMcp;
}
