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

const nodeSchema = z.object({
  ...{ name: z.string(), type: z.string(), typeVersion: z.number(), parameters: z.object({}) },
});
const fileSchema = z.object({ nodes: z.array(nodeSchema), connections: z.object({}) });
const workflowFileSchema = z.custom<WorkflowFile>(
  (value) => fileSchema.safeParse(value).success,
  'is not a workflow',
);

/** Reads an exported workflow. */
export function readWorkflowFile(path: string): WorkflowFile {
  return workflowFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
