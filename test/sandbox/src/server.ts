import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CONTROL_PREFIX } from './control/prefix.js';
import type { Sandbox } from './sandbox.js';
import { ClientGone } from './http/body.js';
import { ControlHandler } from './control-handler.js';
import { checkControlAccess, checkHost } from './http/guard.js';
import { InboxHandler } from './http/inbox-handler.js';
import { failureBody, sandboxErrorOf, sendJson, statusText } from './http/reply.js';
import { realTime } from './real-time.js';
import { ServiceHandler } from './http/service-handler.js';
import { readTarget } from './http/target.js';

export interface Access {
  /** Host names that the sandbox accepts, beside `localhost` and plain addresses. */
  readonly hosts: ReadonlySet<string>;
  /** Key that the control plane and the inbox ask for; without one they are open to this machine only. */
  readonly controlKey: string | undefined;
}

/** The HTTP face of a sandbox: the service, the control plane and the inbox. Not yet listening. */
export function createSandboxServer(sandbox: Sandbox, access: Access): Server {
  const service = new ServiceHandler(sandbox);
  const control = new ControlHandler(sandbox);
  const inbox = new InboxHandler(sandbox.prefix);

  const dispatch = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkHost(request, access.hosts);
    const target = readTarget(request.url ?? '/', sandbox.prefix);
    const isControl = target.path === CONTROL_PREFIX || target.path.startsWith(`${CONTROL_PREFIX}/`);
    if (!isControl && !inbox.owns(target.path)) {
      await service.handle(request, response, target);
      return;
    }
    checkControlAccess(request, access.controlKey);
    if (isControl) await control.handle(request, response, target);
    else inbox.handle(request, response, target);
  };

  const server = createServer(
    // A client that has not sent its whole request in time gets a 408 and is cut off.
    {
      headersTimeout: 3_000,
      requestTimeout: 5_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      void respond(dispatch, request, response);
    },
  );
  server.on('clientError', refuse);
  return server;
}

async function respond(
  dispatch: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await dispatch(request, response);
  } catch (error) {
    if (error instanceof ClientGone || response.headersSent) {
      response.destroy();
      return;
    }
    const { status, message, headers } = sandboxErrorOf(error);
    sendJson(response, status, failureBody(message), headers);
  }
}

const CLIENT_ERRORS: Readonly<Record<string, { status: number; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large.' },
};

/** How long a client that is cut off has to read why, in milliseconds. */
const LINGER_MS = 1_000;

/** Refuses what is no HTTP request at all. */
function refuse(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = CLIENT_ERRORS[error.code ?? ''] ?? {
    status: 400,
    message: 'This is not a valid HTTP request.',
  };
  const body = JSON.stringify(failureBody(message));
  // A client that does not hang up would keep the connection for ever.
  const hangUp = realTime.setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    realTime.clearTimeout(hangUp);
  });
  socket.end(
    `HTTP/1.1 ${statusText(status)}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
