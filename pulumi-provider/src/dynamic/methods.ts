import { isRecord } from 'audience-core/internal';
import type { dynamic } from '@pulumi/pulumi';
import { callsOf, type CallValues, type Process } from '../engine/calls.js';
import { fromEngine, toEngine } from '../engine/codec.js';
import type { Secrets } from '../engine/secrets.js';
import type { Behaviour } from '../resources/behaviour.js';
import type { Raw } from '../resources/raw.js';
import { SECRET_INPUTS } from './inputs.js';

export type Methods = Required<Omit<dynamic.ResourceProvider, 'configure'>>;

export function methodsOf(behaviour: Behaviour, process: Process): Methods {
  return callsOf(behaviour, process, () => valuesInPlain(process.secrets));
}

/** The engine passes secret values in plain text. Their names are an input. */
function valuesInPlain(secrets: Secrets): CallValues<Raw> {
  let kept: Raw = {};
  return {
    read(properties, isCurrent) {
      const { [SECRET_INPUTS]: names, ...own } = fromEngine(properties);
      if (Array.isArray(names)) for (const name of names) secrets.add(own[String(name)]);
      // The engine finds the provider by its own text in the properties.
      const provider = isRecord(properties) ? properties['__provider'] : undefined;
      if (isCurrent) kept = { [SECRET_INPUTS]: names, __provider: provider };
      return own;
    },
    write: (properties) => toEngine({ ...properties, ...kept }),
  };
}
