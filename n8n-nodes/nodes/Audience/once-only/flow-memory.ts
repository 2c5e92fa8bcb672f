import type { IExecuteFunctions } from 'n8n-workflow';
import type * as z from 'zod/mini';

/**
 * What the nodes of an execution note under one name in n8n's context of it. n8n keeps it with the execution, for its
 * Retry. It is read and checked once: the nodes share one object, and change it in place.
 */
export class FlowMemory<Data extends object> {
  readonly #ofFlows = new WeakMap<object, Data>();

  /** @param empty what is noted where nothing is, or nothing that can be read. */
  constructor(
    private readonly name: string,
    private readonly schema: z.ZodMiniType<Data>,
    private readonly empty: () => NoInfer<Data>,
  ) {}

  /** What is noted of the execution. */
  of(context: IExecuteFunctions): Data {
    const flow = context.getContext('flow');
    const noted = this.#ofFlows.get(flow) ?? this.schema.safeParse(flow[this.name]).data ?? this.empty();
    this.#ofFlows.set(flow, noted);
    flow[this.name] = noted;
    return noted;
  }
}
