const OLDEST = 22;

/** The message where `program` is started with a Node that is too old. */
export function nodeProblem(program: string, { node } = process.versions): string | undefined {
  if (Number.parseInt(node) >= OLDEST) return undefined;
  return `${program} needs Node ${OLDEST} or newer, and the node on the PATH is ${node}. Install a newer one.`;
}
