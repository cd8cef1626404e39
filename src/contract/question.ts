/** Questions of an agent to a person: their event, their answers, and how each was settled. */

/** An answer that is offered. */
export interface QuestionChoice {
  /** What an answer gives back. */
  value: string;
  /** What people read; the value when absent. */
  label?: string;
  description?: string;
}

/** One of the questions that are asked together. */
export interface AskedQuestion {
  /** Unique within its event. */
  id: string;
  question: string;
  /** A word or two above it. */
  header?: string;
  /** Free text when absent. */
  choices?: QuestionChoice[];
  /** Several choices may be given. */
  multi_select?: true;
  /** Text that is none of the choices is an answer too. */
  other?: true;
  /** The answer is a secret: don't show it while it is typed. It is kept out of logs and recordings. */
  secret?: true;
  /** The rest counts for nothing without it. */
  required?: true;
}

/** The agent, or one of its MCP servers, asks a person something and waits for the answer. */
export interface QuestionEvent {
  v: 1;
  type: 'question';
  /** `q_1`, `q_2`, … */
  id: string;
  /** The tool call that asks, where there is one; its `tool_activity` start comes first. */
  tool_use_id?: string;
  source: 'agent' | 'mcp';
  title?: string;
  questions: AskedQuestion[];
  /** What is asked for happens on this page, in a browser; the answer says only that it was opened. */
  url?: string;
  /** Without an answer it counts as declined after so long. */
  timeout_ms?: number;
}

/** By question: its answer, several where it allows that, or null to decline it. */
export type Answers = { [question: string]: string | string[] | null };

export const QUESTION_OUTCOMES = ['answered', 'declined', 'withdrawn', 'timed-out'] as const;
/** How a question was settled: by an answer, a refusal, the agent itself, or its deadline. */
export type QuestionOutcome = (typeof QUESTION_OUTCOMES)[number];
