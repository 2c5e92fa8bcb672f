/**
 * A checked `file` says which content it stands for: `customers.csv (300 contacts, 8f3a1c90b2d4e6f8)`. Where a program
 * ignores changes of the file, the engine then gives the content of the last run.
 */
const CONTENT = / \(([\d,]+ contacts?, [\da-f]{16})\)$/;

/** The inputs with the content that the file stands for. */
export function withContent<Inputs extends { readonly file?: unknown }>(
  inputs: Inputs,
  content: string,
): Inputs {
  const { file } = inputs;
  return typeof file === 'string' ? { ...inputs, file: `${file} (${content})` } : inputs;
}

/** The content that a checked file stands for; `undefined` where it is only a path. */
export function contentOf(file: unknown): string | undefined {
  return typeof file === 'string' ? CONTENT.exec(file)?.[1] : undefined;
}

/** The inputs with the plain path of the file. */
export function withPlainFile<Inputs extends { readonly file?: unknown }>(inputs: Inputs): Inputs {
  const { file } = inputs;
  return typeof file === 'string' ? { ...inputs, file: file.replace(CONTENT, '') } : inputs;
}
