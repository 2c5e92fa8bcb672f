import { isRecord } from 'audience-core/internal';
import type { handleUnaryCall } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb.js';
import { Struct, Value } from 'google-protobuf/google/protobuf/struct_pb.js';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb.js';
import type { IResourceProviderServer } from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import * as messages from '@pulumi/pulumi/proto/provider_pb.js';
import { callsOf } from '../engine/calls.js';
import { functions, invoke, type DataFunction } from '../functions/registry.js';
import type { Behaviour } from '../resources/behaviour.js';
import { DECLARED_BY, declaredBy } from '../resources/declarations.js';
import { textOf } from '../messages/index.js';
import { SECRET_SETTINGS } from '../engine/connection.js';
import type { Diagnostics } from './diagnostics.js';
import { failureOf } from './failures.js';
import { fromStruct, toStruct, valuesWithSecrets } from './struct.js';
import { registry, tokenOf } from '../engine/registry.js';
import { argumentProblems, type Session } from './session.js';

const RESOURCES: ReadonlyMap<string, Behaviour> = new Map(
  Object.entries(registry).map(([name, one]): [string, Behaviour] => [tokenOf(name, 'type'), one]),
);
const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
const FUNCTIONS: ReadonlyMap<string, DataFunction> = new Map(
  Object.entries(functions).map(([name, one]): [string, DataFunction] => [tokenOf(name, 'function'), one]),
);

/**
 * Pulumi's provider protocol over the registries of resources and functions. Other calls are not implemented: without
 * `diffConfig` another account replaces nothing; without `handshake` the engine makes the preview, where outputs that are
 * no inputs are unknown.
 */
export function providerService(
  { version, schema }: { readonly version: string; readonly schema: string },
  session: Session,
  diagnostics: Diagnostics,
) {
  const unary = unaryCalls(diagnostics);
  return {
    getPluginInfo: unary(() => Promise.resolve(new PluginInfo().setVersion(version))),
    getSchema: unary(() => Promise.resolve(new messages.GetSchemaResponse().setSchema(schema))),
    cancel: unary(() => {
      session.cancel();
      return Promise.resolve(new Empty());
    }),
    checkConfig: unary((request) => {
      const news = fromStruct(request.getNews());
      const problems = argumentProblems(news).map((one) => ({ ...one, reason: textOf(one) }));
      const response = new messages.CheckResponse().setInputs(toStruct(news, SECRET_SETTINGS));
      return Promise.resolve(response.setFailuresList(failed(problems)));
    }),
    configure: unary((request) => {
      session.configure(fromStruct(request.getArgs()));
      return Promise.resolve(new messages.ConfigureResponse().setAcceptsecrets(true));
    }),
    invoke: unary((request) =>
      diagnostics.about('', async () => {
        const called = FUNCTIONS.get(request.getTok());
        if (called === undefined) throw new Error(`unknown function ${request.getTok()}`);
        const result = await invoke(called, fromStruct(request.getArgs()), session.current().client);
        const object = called.asObject?.(result) ?? result;
        return new messages.InvokeResponse().setReturn(toStruct(isRecord(object) ? object : {}));
      }),
    ),
    ...resourceCalls(session, diagnostics),
  } satisfies Partial<IResourceProviderServer>;
}

type Respond<Request, Response> = (request: Request) => Promise<Response>;

function unaryCalls({ secrets }: Diagnostics) {
  return <Request, Response>(respond: Respond<Request, Response>): handleUnaryCall<Request, Response> =>
    (call, callback) => {
      Promise.resolve(call.request)
        .then(respond)
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(failureOf(error, secrets)),
        );
    };
}

/** The calls about one resource. */
function resourceCalls(session: Session, diagnostics: Diagnostics) {
  const about = callsAboutResources(session, diagnostics);
  return {
    check: about(async (request, calls, name) => {
      const news = request.getNews() ?? new Struct();
      news.getFieldsMap().set(DECLARED_BY, new Value().setStringValue(declaredBy(name, request.getUrn())));
      const { inputs, failures } = await calls.check(request.getOlds(), news);
      return new messages.CheckResponse().setInputs(inputs).setFailuresList(failed(failures));
    }),
    diff: about(async (request, calls) => {
      const { changes, replaces } = await calls.diff(request.getId(), request.getOlds(), request.getNews());
      const kind = changes ? DIFF_SOME : DIFF_NONE;
      return new messages.DiffResponse().setChanges(kind).setReplacesList(replaces);
    }),
    create: about(async (request, calls) => {
      const { id, outs } = await calls.create(request.getProperties());
      return new messages.CreateResponse().setId(id).setProperties(outs);
    }),
    read: about(async (request, calls) => {
      const { id, props, inputs } = await calls.read(request.getId(), request.getProperties());
      const response = new messages.ReadResponse().setId(id);
      // Empty properties are an empty resource to the engine: only without any does it not exist.
      return id === '' ? response : response.setProperties(props).setInputs(inputs ?? request.getInputs());
    }),
    update: about(async (request, calls) => {
      const { outs } = await calls.update(request.getId(), request.getOlds(), request.getNews());
      return new messages.UpdateResponse().setProperties(outs);
    }),
    delete: about(async (request, calls) => {
      await calls.delete(request.getId(), request.getProperties());
      return new Empty();
    }),
  } satisfies Partial<IResourceProviderServer>;
}

/** Finds the resource that a call is about by its URN; messages are shown at it. */
function callsAboutResources(session: Session, diagnostics: Diagnostics) {
  const { secrets } = diagnostics;
  const unary = unaryCalls(diagnostics);
  return <Request extends { getUrn(): string }, Response>(
    respond: (request: Request, calls: ReturnType<typeof callsOf<Struct>>, name: string) => Promise<Response>,
  ): handleUnaryCall<Request, Response> =>
    unary((request) => {
      const urn = request.getUrn();
      const [, , types = '', ...name] = urn.split('::');
      const behaviour = RESOURCES.get(types.split('$').at(-1) ?? '');
      return diagnostics.about(urn, async () => {
        if (behaviour === undefined) throw new Error(`unknown type of ${urn}`);
        const newValues = () => valuesWithSecrets(behaviour.secrets ?? [], secrets);
        const calls = callsOf(behaviour, { run: () => session.current(), secrets }, newValues);
        return respond(request, calls, name.join('::'));
      });
    });
}

function failed(
  problems: readonly { readonly property: string; readonly reason: string }[],
): messages.CheckFailure[] {
  return problems.map(({ property, reason }) =>
    new messages.CheckFailure().setProperty(property).setReason(reason),
  );
}
