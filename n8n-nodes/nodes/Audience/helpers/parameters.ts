import type { IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod';
import { InputProblem } from './errors.js';
import { isEmpty } from './values.js';

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);
const locatorSchema = z.union([
  z.object({ mode: z.string().optional(), value: z.union([z.string(), z.number()]).nullish() }),
  z.union([z.string(), z.number()]).transform((value) => ({ mode: undefined, value })),
]);
const mapperSchema = z.object({
  mappingMode: z.string().nullish(),
  value: z.record(z.string(), z.unknown()).nullish(),
});
const idListSchema = z.union([
  z.array(z.union([z.string(), z.number()]).transform(String)),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]);

/**
 * Reads the node's parameters for one item. Expressions are resolved; n8n's own conversions are left out, as
 * they depend on a stored schema and on the workflow's time zone.
 */
export class Parameters {
  constructor(
    readonly context: IExecuteFunctions,
    readonly itemIndex: number,
  ) {}

  /** The value as it is, `undefined` where there is none. */
  raw(name: string): unknown {
    return this.context.getNodeParameter(name, this.itemIndex, null, { skipValidation: true }) ?? undefined;
  }

  /** Text, `undefined` where it was left empty. A number counts as text, as ids often come as numbers. */
  text(name: string, label: string): string | undefined {
    return asText(this.raw(name), label);
  }

  /**
   * Text that must be there.
   *
   * @throws InputProblem where it was left empty.
   */
  requiredText(name: string, label: string): string {
    const text = this.text(name, label);
    if (text !== undefined) return text;
    throw new InputProblem(
      `'${label}' is empty`,
      `Fill in '${label}', or check that its expression gives a value for this item.`,
    );
  }

  /** A switch; off where it is not set. */
  flag(name: string): boolean {
    const value = this.raw(name);
    return value === true || value === 'true';
  }

  /** Mode and value of a resource locator. */
  locator(name: string, label: string): { mode: string | undefined; value: string } {
    const parsed = locatorSchema.safeParse(this.raw(name));
    const value = parsed.success ? asText(parsed.data.value, label) : undefined;
    if (!parsed.success || value === undefined) {
      throw new InputProblem(
        `'${label}' is empty`,
        `Choose a value for '${label}', or check that its expression gives one for this item.`,
      );
    }
    return { mode: parsed.data.mode, value };
  }

  /**
   * Values of a resource mapper by field, empty ones left out. With automatic mapping these are the fields of
   * the input item, which may hold anything.
   */
  mapped(name: string): { values: Record<string, unknown>; automatic: boolean } {
    const parsed = mapperSchema.safeParse(this.raw(name));
    if (!parsed.success) return { values: {}, automatic: false };
    const automatic = parsed.data.mappingMode === 'autoMapInputData';
    const all = automatic ? this.inputJson() : (parsed.data.value ?? {});
    return {
      values: Object.fromEntries(Object.entries(all).filter(([, inner]) => !isEmpty(inner))),
      automatic,
    };
  }

  /** Ids chosen in a multiple choice, or given by an expression as a list or separated by commas. */
  ids(name: string, label: string): string[] {
    const value = this.raw(name);
    if (isEmpty(value)) return [];
    const parsed = idListSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new InputProblem(`'${label}' is not a list`, `Choose entries of the list, or give a list of ids.`);
  }

  private inputJson(): Record<string, unknown> {
    return this.context.getInputData()[this.itemIndex]?.json ?? {};
  }
}

function asText(value: unknown, label: string): string | undefined {
  if (isEmpty(value)) return undefined;
  const parsed = scalarSchema.safeParse(value);
  if (!parsed.success) {
    throw new InputProblem(
      `'${label}' must be text, but is ${Array.isArray(value) ? 'a list' : 'an object'}`,
      `Point the expression of '${label}' at a single value.`,
    );
  }
  const text = String(parsed.data).trim();
  return text === '' ? undefined : text;
}
