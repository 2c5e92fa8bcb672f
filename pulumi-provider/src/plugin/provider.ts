import { status } from '@grpc/grpc-js';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb.js';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb.js';
import type { PluginAttach } from '@pulumi/pulumi/proto/plugin_pb.js';
import type { IResourceProviderServer } from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import * as messages from '@pulumi/pulumi/proto/provider_pb.js';
import { asProblems } from '../engine/errors.js';
import { functions, invoke } from '../functions/registry.js';
import type { DataFunction } from '../functions/registry.js';
import { inputsOf } from '../resources/behaviour.js';
import type { Behaviour, Imported } from '../resources/behaviour.js';
import { DECLARED_BY, declaredBy } from '../resources/declarations.js';
import { ResourceError } from '../resources/errors.js';
import { UNKNOWN } from '../resources/raw.js';
import type { Problem } from '../resources/errors.js';
import type { Raw } from '../resources/raw.js';
import { SECRET_SETTINGS } from '../engine/connection.js';
import { argumentProblems } from './arguments.js';
import { diffResponse } from './diff-response.js';
import type { Diagnostics } from './diagnostics.js';
import { failureOf } from './failures.js';
import { CallValues, fromStruct, toStruct } from './struct.js';
import { registry } from '../engine/registry.js';
import type { Session } from './session.js';
import { tokenOf } from '../engine/tokens.js';

/** What the plugin is: its version, and its schema as text. */
export interface PluginDescription {
  readonly version: string;
  readonly schema: string;
}

const RESOURCES: ReadonlyMap<string, Behaviour> = new Map(
  Object.entries(registry).map(([name, one]): [string, Behaviour] => [tokenOf(name, 'type'), one]),
);
const FUNCTIONS: ReadonlyMap<string, DataFunction> = new Map(
  Object.entries(functions).map(([name, one]): [string, DataFunction] => [tokenOf(name, 'function'), one]),
);

/** Pulumi's provider protocol over the registries of resources and functions. */
export function providerService(
  { version, schema }: PluginDescription,
  session: Session,
  diagnostics: Diagnostics,
): IResourceProviderServer {
  const empty = () => Promise.resolve(new Empty());
  const failed = (problems: readonly Problem[]) =>
    problems.map(({ property, reason }) =>
      new messages.CheckFailure().setProperty(property).setReason(diagnostics.secrets.hide(reason)),
    );
  const unary =
    <Request, Response>(
      respond: (request: Request) => Promise<Response>,
      secretsOf: () => readonly string[] = () => [],
    ): handleUnaryCall<Request, Response> =>
    (call, callback) => {
      Promise.resolve(call.request)
        .then(respond)
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(failureOf(error, diagnostics.secrets, secretsOf())),
        );
    };
  /** A call about one resource: the behaviour of its type does it, and what it tells is told at the resource. */
  const about =
    <Request extends { getUrn(): string }, Response>(
      respond: (request: Request, resource: Resource, values: CallValues) => Promise<Response>,
    ): handleUnaryCall<Request, Response> =>
    (call, callback) => {
      const urn = call.request.getUrn();
      const [, , types = '', ...rest] = urn.split('::');
      const type = types.split('$').at(-1) ?? '';
      const behaviour = RESOURCES.get(type);
      const values = new CallValues(behaviour?.secrets ?? [], diagnostics.secrets);
      const work = (request: Request): Promise<Response> =>
        diagnostics.about(urn, async () => {
          if (behaviour === undefined)
            throw new ResourceError(`'${urn}' has a type that this provider does not have.`);
          return respond(request, { urn, type, name: rest.join('::'), behaviour }, values);
        });
      unary(work, () => values.secrets)(call, callback);
    };

  return {
    ...UNUSED,
    handshake: unary(async (request) => {
      diagnostics.attach(request.getEngineAddress());
      return Promise.resolve(new messages.ProviderHandshakeResponse().setAcceptSecrets(true));
    }),
    attach: unary((request: PluginAttach) => {
      diagnostics.attach(request.getAddress());
      return empty();
    }),
    getPluginInfo: unary(() => Promise.resolve(new PluginInfo().setVersion(version))),
    getSchema: unary(() => Promise.resolve(new messages.GetSchemaResponse().setSchema(schema))),
    cancel: unary(() => {
      session.cancel();
      return empty();
    }),

    checkConfig: unary(async (request) => {
      const news = fromStruct(request.getNews());
      const isDefault = /::default(_[\w.-]*)?$/.test(request.getUrn());
      return new messages.CheckResponse()
        .setInputs(toStruct(news, SECRET_SETTINGS))
        .setFailuresList(failed(await argumentProblems(news, isDefault)));
    }),

    // Another account is never a replacement: its resources are looked for there by the next refresh.
    diffConfig: unary((request) =>
      diagnostics.about(request.getUrn(), () => {
        const olds = fromStruct(request.getOldInputs() ?? request.getOlds());
        const news = fromStruct(request.getNews());
        // An earlier provider that had none was not this plugin's.
        if (olds['baseUrl'] !== undefined && olds['baseUrl'] !== news['baseUrl'])
          diagnostics.reporter.warn(ANOTHER_SERVICE);
        return Promise.resolve(diffResponse(olds, news));
      }),
    ),

    configure: unary((request) => {
      session.configure(fromStruct(request.getArgs()));
      return Promise.resolve(
        new messages.ConfigureResponse().setSupportspreview(true).setAcceptsecrets(true),
      );
    }),

    check: about(async (request, { behaviour, name, urn }, values) => {
      const news = values.read(request.getNews());
      const declared = { ...news, [DECLARED_BY]: declaredBy(name, urn) };
      const olds = values.read(request.getOlds(), false);
      const checked = await asProblems(async () => behaviour.check(olds, declared, session.current()));
      return new messages.CheckResponse()
        .setInputs(values.write(checked.inputs ?? news))
        .setFailuresList(failed(checked.problems));
    }),

    diff: about(async (request, { behaviour }, values) => {
      const news = values.read(request.getNews());
      const outs = values.read(request.getOlds(), false);
      const { changes, replaces = [] } = await behaviour.diff(request.getId(), outs, news, session.current());
      const oldInputs = values.read(request.getOldInputs(), false);
      return diffResponse(changes ? oldInputs : news, news, replaces, changes);
    }),

    create: about(async (request, { behaviour }, values) => {
      const inputs = values.read(request.getProperties());
      if (request.getPreview()) {
        const planned = values.write({ ...unknownOutputs(behaviour), ...inputs });
        return new messages.CreateResponse().setProperties(planned);
      }
      session.assertGoesOn();
      const { id, outs } = await behaviour.create(inputs, session.current());
      return new messages.CreateResponse().setId(id).setProperties(values.write(outs));
    }),

    read: about(async (request, { behaviour, type }, values) => {
      const id = request.getId();
      const known = values.read(request.getProperties());
      const run = session.current();
      const isImport = Object.keys(known).length === 0;
      if (isImport && behaviour.import === undefined) {
        throw new ResourceError(
          `'${type}' cannot be imported. Declare it in the program: 'pulumi up' writes the contacts that exist.`,
        );
      }
      const found: Imported | undefined = isImport
        ? await behaviour.import?.(id, run)
        : await behaviour.read(id, known, run);
      if (found === undefined) return new messages.ReadResponse();
      const inputs = found.inputs ?? inputsOf(behaviour, found.outs);
      return new messages.ReadResponse()
        .setId(found.id)
        .setProperties(values.write(found.outs))
        .setInputs(values.write(inputs));
    }),

    update: about(async (request, { behaviour }, values) => {
      const news = values.read(request.getNews());
      const olds = values.read(request.getOlds(), false);
      if (request.getPreview()) {
        // What is declared no more leaves state.
        const kept = Object.entries(olds).filter(([name]) => !(name in behaviour.schema.shape));
        const planned = { ...Object.fromEntries(kept), ...unknownOutputs(behaviour), ...news };
        return new messages.UpdateResponse().setProperties(values.write(planned));
      }
      session.assertGoesOn();
      const { outs } = await behaviour.update(request.getId(), olds, news, session.current());
      return new messages.UpdateResponse().setProperties(values.write(outs));
    }),

    delete: about(async (request, { behaviour }, values) => {
      session.assertGoesOn();
      await behaviour.delete(request.getId(), values.read(request.getProperties()), session.current());
      return new Empty();
    }),

    invoke: unary((request) =>
      diagnostics.about('', async () => {
        const called = FUNCTIONS.get(request.getTok());
        if (called === undefined)
          throw new ResourceError(`'${request.getTok()}' is not a function of this provider.`);
        const args = fromStruct(request.getArgs());
        const { problems, result } = await invoke(called, args, session.current().client);
        const response = new messages.InvokeResponse().setFailuresList(failed(problems));
        return problems.length > 0 ? response : response.setReturn(toStruct(result));
      }),
    ),
  };
}

/** A resource that a call is about. */
interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly behaviour: Behaviour;
}

/** Outputs that are no inputs: at preview nobody knows them. */
function unknownOutputs({ outputs }: Behaviour): Raw {
  return Object.fromEntries(Object.keys(outputs?.shape ?? {}).map((name) => [name, UNKNOWN]));
}

const ANOTHER_SERVICE =
  "The provider's baseUrl has changed. Run 'pulumi refresh' first, which takes what the new service does not have out of state; nothing changes in the old service.";

function unimplemented(_call: unknown, callback: (error: { code: status }) => void): void {
  callback({ code: status.UNIMPLEMENTED });
}

/** Calls for components, and for kinds of providers that this is not. */
const UNUSED = {
  parameterize: unimplemented,
  construct: unimplemented,
  call: unimplemented,
  getMapping: unimplemented,
  getMappings: unimplemented,
  list: (stream: { emit(event: 'error', error: { code: status }): unknown }): void => {
    stream.emit('error', { code: status.UNIMPLEMENTED });
  },
};
