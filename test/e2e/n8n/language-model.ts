import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod/v4-mini';
import { listen } from '../../hosts/ports.js';

const requestSchema = z.object({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

/** What stands in for a language model says: the arguments of calls of its tool, a text, or a status that is an error. */
export type Saying = readonly object[] | string | number;

/** Decides what to say: by the person's text, and by what the tool has given back so far. */
export type Script = (text: string, results: readonly string[]) => Saying;

/** A server with OpenAI's interface for chats, as n8n's model nodes call it. */
export async function startLanguageModel(
  tool: string,
  script: Script,
): Promise<{ server: Server; url: string }> {
  let calls = 0;
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      },
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const { messages } = requestSchema.parse(JSON.parse(await text(request)));
    const asText = ({ content }: { content: unknown }): string =>
      typeof content === 'string' ? content : JSON.stringify(content);
    const of = (role: string): string[] => messages.filter((one) => one.role === role).map(asText);
    const saying = script(of('user').at(-1) ?? '', of('tool'));
    if (typeof saying === 'number') return { status: saying, body: { error: { message: 'no', type: 'x' } } };
    const message =
      typeof saying === 'string'
        ? { role: 'assistant', content: saying }
        : {
            ...{ role: 'assistant', content: null },
            tool_calls: saying.map((args) => ({
              ...{ id: `call-${(calls += 1)}`, type: 'function' },
              function: { name: tool, arguments: JSON.stringify(args) },
            })),
          };
    const choice = { index: 0, message, finish_reason: typeof saying === 'string' ? 'stop' : 'tool_calls' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const head = { id: 'chat', object: 'chat.completion', created: 1, model: 'gpt-4o-mini' };
    return { status: 200, body: { ...head, choices: [choice], usage } };
  }

  return { server, url: `http://127.0.0.1:${await listen(server)}/v1` };
}
