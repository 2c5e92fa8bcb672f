import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import * as z from 'zod';
import { isLocal } from '../http/guard.js';
import { SandboxError } from '../sandbox-error.js';
import type { handleMcp } from './handle.js';

/** Path of the MCP server below the control plane. */
export const MCP_PATH = '/mcp';

const moduleSchema = z.object({
  handleMcp: z.custom<typeof handleMcp>((value) => typeof value === 'function'),
});

/** Loads the MCP server with its first client, as its SDK is large. @throws SandboxError 403 or 501 */
export function loadMcp(request: IncomingMessage): typeof handleMcp {
  if (!isLocal(request)) {
    throw new SandboxError('The MCP server accepts programs of the same machine only.', 403);
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
  return moduleSchema.parse(require('./handle.js')).handleMcp;
}
