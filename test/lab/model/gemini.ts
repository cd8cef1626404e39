import { geminiFailure } from './failures.js';
import {
  type Answer,
  type Asked,
  type Call,
  COST,
  type DialectPort,
  type Json,
  type JsonObject,
  type Said,
  type Voice,
} from './types.js';
import { list, object, sse, string } from './values.js';

const usageMetadata: JsonObject = {
  promptTokenCount: COST.input,
  cachedContentTokenCount: COST.cached,
  candidatesTokenCount: COST.output - COST.reasoning,
  thoughtsTokenCount: COST.reasoning,
  totalTokenCount: COST.input + COST.output,
};

/** A function response is free-form JSON; programs use `output` and `error`. */
function readContent(content: JsonObject): Said[] {
  const parts = list(content.parts).map(object);
  const results = parts
    .filter((part) => part.functionResponse !== undefined)
    .map((part): Said => {
      const response = object(object(part.functionResponse).response);
      const failed = response.error !== undefined;
      const text = string(response.output) || string(response.error) || JSON.stringify(response);
      return { role: 'tool', text, failed };
    });
  const text = parts
    .filter((part) => part.thought !== true)
    .map((part) => string(part.text))
    .filter((piece) => piece !== '')
    .join('\n');
  if (content.role === 'model') return [{ role: 'assistant', text }];
  return text === '' ? results : [...results, { role: 'user', text }];
}

function finishReason(ending: string): string {
  if (ending === 'max_tokens') return 'MAX_TOKENS';
  return ending === 'refusal' ? 'SAFETY' : 'STOP';
}

function callPart(call: Call, id: string): JsonObject {
  return {
    functionCall: { id: `call_${id}`, name: call.tool.name, args: call.args },
    thoughtSignature: 'c2lnbmF0dXJl',
  };
}

function voice(asked: Asked, id: number): Voice {
  const chunk = (parts: Json[], extra: JsonObject = {}): string =>
    sse(
      {
        candidates: [{ content: { role: 'model', parts }, index: 0, ...extra }],
        usageMetadata,
        modelVersion: asked.model,
        responseId: `lab-${id}`,
      },
      undefined,
      true,
    );
  return {
    begin: () => '',
    thinking: (text) => chunk([{ text, thought: true }]),
    text: (text) => chunk([{ text }]),
    call: (call, callId) => chunk([callPart(call, callId)]),
    end: (ending) => chunk([{ text: '' }], { finishReason: finishReason(ending) }),
  };
}

function whole(asked: Asked, answer: Answer, id: number): JsonObject {
  const parts: Json[] = [];
  if (answer.thinking.length > 0) parts.push({ text: answer.thinking.join(''), thought: true });
  if (answer.text.length > 0) parts.push({ text: answer.text.join('') });
  for (const [n, call] of answer.calls.entries()) parts.push(callPart(call, `${id}_${n}`));
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: finishReason(answer.ending), index: 0 }],
    usageMetadata,
    modelVersion: asked.model,
    responseId: `lab-${id}`,
  };
}

/** Gemini `generateContent` and `streamGenerateContent`: the model and the method are in the path. */
export const gemini: DialectPort = {
  read: (body, path) => {
    const config = object(body.generationConfig);
    return {
      dialect: 'gemini',
      model: /models\/([^:/?]+)/.exec(path)?.[1] ?? '',
      stream: path.includes(':streamGenerateContent'),
      system: list(object(body.systemInstruction).parts)
        .map((part) => string(object(part).text))
        .join('\n'),
      said: list(body.contents).map(object).flatMap(readContent),
      tools: list(body.tools)
        .flatMap((tool) => list(object(tool).functionDeclarations))
        .map(object)
        .map((tool) => ({ name: string(tool.name), schema: object(tool.parametersJsonSchema ?? tool.parameters) })),
      effort: string(object(config.thinkingConfig).thinkingLevel) || null,
      wantsJson: config.responseMimeType === 'application/json',
    };
  },
  voice,
  whole,
  failure: (name, asked) => geminiFailure(name, asked.model),
};
