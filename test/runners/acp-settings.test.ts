import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { agent } from './acp-play.js';

const select = (category: string, currentValue: string, ...values: string[]) => ({
  id: category === 'thought_level' ? 'effort' : category,
  category,
  type: 'select',
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});
const notices = (one: ReturnType<typeof agent>) =>
  one.said().flatMap((event) => (event.type === 'notice' ? [event.message] : []));

test('mode, model and effort are set one after another, each with what the agent offers then', () => {
  const one = agent(
    { mode: { ids: { scoped: 'careful' }, required: true }, model: 'session', efforts: { off: 'none' } },
    { model: 'm/2', effort: 'high' },
  );
  one.open({ configOptions: [select('model', 'm/1', 'm/1', 'm/2'), select('mode', 'build', 'build', 'careful')] });
  assert.equal(one.sent('session/set_config_option')['params'], {
    sessionId: 's-1',
    configId: 'mode',
    value: 'careful',
  });
  one.answer('session/set_config_option', {
    configOptions: [select('model', 'm/1', 'm/1', 'm/2'), select('mode', 'careful', 'build', 'careful')],
  });
  assert.equal(one.sent('session/set_config_option')['params'], { sessionId: 's-1', configId: 'model', value: 'm/2' });
  one.answer('session/set_config_option', {
    configOptions: [select('model', 'm/2', 'm/2'), select('thought_level', 'low', 'low', 'high')],
  });
  assert.equal(one.sent('session/set_config_option')['params'], {
    sessionId: 's-1',
    configId: 'effort',
    value: 'high',
  });
  one.answer('session/set_config_option', { configOptions: [select('thought_level', 'high', 'low', 'high')] });
  assert.is(one.count('session/prompt'), 1);
});

test('what is set already is left alone', () => {
  const one = agent({ mode: { ids: { scoped: 'a' }, required: true }, model: 'session' }, { model: 'm' });
  one.open({ configOptions: [select('mode', 'a', 'a')], models: { currentModelId: 'm' } });
  assert.is(one.count('session/prompt'), 1);
  assert.is(one.count('session/set_config_option'), 0);
});

test('a mode that carries our rules and is not there ends the turn', () => {
  const one = agent({ mode: { ids: { scoped: 'turnout' }, required: true } });
  one.open({ configOptions: [select('mode', 'build', 'build')] });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'runner-error');
  assert.is(one.count('session/prompt'), 0);
});

test('a refused model and one that is quietly not taken are both unavailable', () => {
  const refused = agent({ model: 'session' }, { model: 'nope' });
  refused.open({ configOptions: [select('model', 'm', 'm')] });
  refused.refuse('session/set_config_option', -32602, 'Invalid params: model not found: nope');
  const ignored = agent({ model: 'session' }, { model: 'nope' });
  ignored.open({ configOptions: [select('model', 'm', 'm')] });
  ignored.answer('session/set_config_option', { configOptions: [select('model', 'm', 'm')] });
  for (const one of [refused, ignored]) {
    const outcome = one.outcome();
    assert.ok(outcome?.ok === false && outcome.code === 'model-unavailable');
  }
});

test('agents without options are asked by the older methods', () => {
  const one = agent({ mode: { ids: { scoped: 'ask' }, required: false }, model: 'session' }, { model: 'm2' });
  one.open({
    modes: { currentModeId: 'auto', availableModes: [{ id: 'auto' }, { id: 'ask' }] },
    models: { currentModelId: 'm1', availableModels: [] },
  });
  assert.equal(one.sent('session/set_mode')['params'], { sessionId: 's-1', modeId: 'ask' });
  one.answer('session/set_mode', {});
  assert.equal(one.sent('session/set_model')['params'], { sessionId: 's-1', modelId: 'm2' });
  one.answer('session/set_model', {});
  assert.is(one.count('session/prompt'), 1);
});

test('an effort the model does not have is told and the turn goes on', () => {
  const one = agent({ efforts: {} }, { effort: 'max' });
  one.open({ configOptions: [select('thought_level', 'low', 'low', 'high')] });
  assert.equal(notices(one), ['Agent has no effort level "max" for this model']);
  assert.is(one.count('session/prompt'), 1);
});

test.run();
