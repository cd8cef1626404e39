/** A question with every field set. */

import type { QuestionEvent } from '../../src/contract/event.js';

export const question: Required<QuestionEvent> = {
  v: 1,
  type: 'question',
  id: 'q_1',
  tool_use_id: 't1',
  source: 'agent',
  title: 'One moment',
  questions: [
    {
      id: 'colour',
      question: 'Which colour?',
      header: 'Colour',
      choices: [{ value: 'red', label: 'Red', description: 'like blood' }],
      multi_select: true,
      other: true,
      secret: true,
      required: true,
    },
  ],
  url: 'https://example.com/login',
  timeout_ms: 60_000,
};
