// What SDKs for JavaScript make of our answers. Copied into the folder that they are installed in.
// usage: node js.mjs BASE KEY MODEL PROMPTS   (PROMPTS: JSON with say, said, tool, think)

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { tool as langchainTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { z } from 'zod';

const [base, apiKey, model, json] = process.argv.slice(2);
const { say, said, tool: toolPrompt, fail } = JSON.parse(json);
const baseURL = `${base}/v1`;
globalThis.AI_SDK_LOG_WARNINGS = false;

async function check(name, work) {
  try {
    const fault = await work();
    console.log(fault === undefined || fault === true ? `pass ${name}` : `FAIL ${name}: ${JSON.stringify(fault)}`);
  } catch (error) {
    console.log(
      `FAIL ${name}: ${String(error?.message ?? error)
        .replaceAll('\n', ' ')
        .slice(0, 400)}`,
    );
  }
}
const holds = (text, wanted) => (String(text).includes(wanted) ? true : { wanted, got: text });
const messages = (content) => [{ role: 'user', content }];

const openai = new OpenAI({ baseURL, apiKey });
await check('openai models.retrieve', async () => holds((await openai.models.retrieve(model)).id, model));
await check('openai chat', async () => {
  const { choices } = await openai.chat.completions.create({ model, messages: messages(say) });
  return holds(choices[0].message.content, said);
});
await check('openai chat.stream', async () => {
  const stream = openai.chat.completions.stream({
    model,
    messages: messages(say),
    stream_options: { include_usage: true },
  });
  return holds((await stream.finalChatCompletion()).choices[0].message.content, said);
});
const parameters = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};
const add = ({ a, b }) => String(a + b);
for (const stream of [false, true])
  await check(`openai runTools, ${stream ? 'streaming' : 'whole'}`, async () => {
    const described = { name: 'add', description: 'adds', parameters, parse: JSON.parse, function: add };
    const tools = [{ type: 'function', function: described }];
    const runner = openai.chat.completions.runTools({ model, messages: messages(toolPrompt), tools, stream });
    return holds(await runner.finalContent(), '3');
  });
await check('openai responses', async () =>
  holds((await openai.responses.create({ model, input: say })).output_text, said),
);
await check('openai responses.stream', async () =>
  holds((await openai.responses.stream({ model, input: say }).finalResponse()).output_text, said),
);
/** Turns that were begun so far. */
async function begun() {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${base}/v1/agent`, { method: 'POST', headers, body: '{"op":"runs","limit":10000}' });
  return (await answer.text()).split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line).runs ?? []))).length;
}
/** Every SDK repeats what it takes for a passing failure: each try would be a turn that costs. */
async function costsOne(name, ask) {
  await check(`${name}: a failure costs one turn`, async () => {
    const before = await begun();
    let failed = false;
    try {
      await ask();
    } catch {
      failed = true;
    }
    const turns = (await begun()) - before;
    return failed && turns === 1 ? true : { failed, turns };
  });
}
await costsOne('openai', () => openai.chat.completions.create({ model, messages: messages(fail) }));
await costsOne('openai responses', () => openai.responses.create({ model, input: fail }));

const inputSchema = z.object({ a: z.number(), b: z.number() });
const tools = { add: tool({ description: 'adds', inputSchema, execute: async (given) => add(given) }) };
const providers = {
  'openai responses': createOpenAI({ baseURL, apiKey })(model),
  'openai-compatible': createOpenAICompatible({ name: 'turnout', baseURL, apiKey })(model),
  anthropic: createAnthropic({ baseURL, apiKey })(model),
};
for (const [name, provider] of Object.entries(providers)) {
  await check(`AI SDK ${name}: generateText`, async () =>
    holds((await generateText({ model: provider, prompt: say })).text, said),
  );
  await check(`AI SDK ${name}: tools`, async () => {
    const { text } = await generateText({ model: provider, prompt: toolPrompt, tools, stopWhen: stepCountIs(4) });
    return holds(text, '3');
  });
  await check(`AI SDK ${name}: streamText with tools`, async () => {
    const result = streamText({ model: provider, prompt: toolPrompt, tools, stopWhen: stepCountIs(4) });
    for await (const part of result.fullStream)
      if (part.type === 'error') return String(part.error?.message ?? part.error);
    return holds(await result.text, '3');
  });
}

await costsOne('AI SDK', () => generateText({ model: providers['openai-compatible'], prompt: fail }));
const anthropic = new Anthropic({ baseURL: base, apiKey });
await costsOne('anthropic', () => anthropic.messages.create({ model, max_tokens: 1000, messages: messages(fail) }));
await check('anthropic messages', async () => {
  const { content } = await anthropic.messages.create({ model, max_tokens: 1000, messages: messages(say) });
  return holds(content.map(({ text }) => text).join(''), said);
});
await check('anthropic messages.stream', async () =>
  holds(await anthropic.messages.stream({ model, max_tokens: 1000, messages: messages(say) }).finalText(), said),
);
await check('anthropic toolRunner', async () => {
  const { betaTool } = await import('@anthropic-ai/sdk/helpers/beta/json-schema');
  const adding = betaTool({ name: 'add', description: 'adds', inputSchema: parameters, run: add });
  const given = { model, max_tokens: 1000, messages: messages(toolPrompt), tools: [adding] };
  const { content } = await anthropic.beta.messages.toolRunner(given);
  return holds(content.map(({ text }) => text).join(''), '3');
});

for (const useResponsesApi of [false, true]) {
  const chat = new ChatOpenAI({ model, apiKey, useResponsesApi, configuration: { baseURL } });
  const name = `LangChain${useResponsesApi ? ' responses' : ''}`;
  await check(`${name}: invoke`, async () => holds((await chat.invoke(say)).text, said));
  await check(`${name}: LangGraph react agent`, async () => {
    const adding = langchainTool(async (given) => add(given), {
      name: 'add',
      description: 'adds',
      schema: inputSchema,
    });
    const agent = createReactAgent({ llm: chat, tools: [adding] });
    const { messages: all } = await agent.invoke({ messages: [{ role: 'user', content: toolPrompt }] });
    return holds(all.at(-1).text, '3');
  });
}
