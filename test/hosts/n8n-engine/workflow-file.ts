import { readFileSync } from 'node:fs';
import type { IConnections, INode, IPinData, IWorkflowSettings } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

/** A workflow as n8n's editor exports it. */
export interface WorkflowFile {
  id?: string | undefined;
  name?: string | undefined;
  nodes: INode[];
  connections: IConnections;
  settings?: IWorkflowSettings | undefined;
  pinData?: IPinData | undefined;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNode = (value: unknown) =>
  z
    .object({ name: z.string(), type: z.string(), typeVersion: z.number(), parameters: z.object({}) })
    .safeParse(value).success;

const workflowFileSchema = z.object({
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  nodes: z.array(z.custom<INode>(isNode, 'is not a node')),
  connections: z.custom<IConnections>(isObject, 'must be an object'),
  settings: z.optional(z.custom<IWorkflowSettings>(isObject, 'must be an object')),
  pinData: z.optional(z.custom<IPinData>(isObject, 'must be an object')),
});

/** Reads an exported workflow. */
export function readWorkflowFile(path: string): WorkflowFile {
  return workflowFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
