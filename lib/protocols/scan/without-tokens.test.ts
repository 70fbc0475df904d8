import { describe, expect, it } from 'vitest'
import { withoutTokens } from './turn-end'

describe('prose without special tokens', () => {
  it.each([
    ['Done.<|im_end|>', 'Done.'],
    ['Done. <|im_end|>\n<|endoftext|>\n', 'Done.'],
    ['Done.</s>', 'Done.'],
    ['Done.<|eot_id|></s></s>', 'Done.'],
    ['Done.<end_of_turn>\n', 'Done.'],
    ['Done.<｜end▁of▁sentence｜>', 'Done.'],
    ['Done.<|END_OF_TURN_TOKEN|>', 'Done.'],
    ['Done.<|return|>', 'Done.'],
    ['Done.<|end|>', 'Done.'],
    ['<|im_end|>', ''],
  ])('ends without them: %j', (text, words) => {
    expect(withoutTokens(text, true)).toBe(words)
    expect(withoutTokens(text, false)).toBe(text)
  })

  it.each([
    'Done.\n',
    '  Done.',
    'The token `<|im_end|>` ends a turn.',
    'It ends with `<|im_end|>`',
    '<|im_end|> stands first.',
    'This is <s>wrong</s>',
    'HTML: <b>bold</b>',
    'Say <|user|>',
    '```\nDone.<|im_end|>\n```',
  ])('keeps mentioned tokens: %j', (text) => {
    expect(withoutTokens(text, true)).toBe(text)
  })

  it.each([
    ['<|channel|>final<|message|>Hello.', 'Hello.'],
    ['<|start|>assistant<|channel|>final<|message|>Hello.<|return|>', 'Hello.'],
    ['I look.\n<|end|><|start|>assistant<|channel|>final<|message|>Hello.', 'I look.\nHello.'],
    ['<|channel|>commentary<|message|>I look.<|end|>', 'I look.'],
    ['<|channel|>final <|constrain|>json<|message|>{}', '{}'],
  ])('removes the marks of Harmony’s messages: %j', (text, words) => {
    expect(withoutTokens(text, true)).toBe(words)
  })

  it.each([
    'Harmony writes <|channel|>final<|message|> before an answer.',
    'So:\n```\n<|channel|>final<|message|>Hello.\n```\nThat is it.',
    '~~~text\n<|channel|>final<|message|>Hello.',
  ])('keeps marks in a sentence and in a code block: %j', (text) => {
    expect(withoutTokens(text, true)).toBe(text)
  })

  it('terminates on texts that begin a token again and again', () => {
    const texts = (size: number) => [
      `<${' '.repeat(size)}x`,
      `<|im_end|>${'\n'.repeat(size)}x`,
      '<|channel|>final<|message|>\n'.repeat(size / 20),
      '<|channel|>```\n'.repeat(size / 10),
      '</s>'.repeat(size / 4),
    ]
    for (const text of texts(200_000)) {
      expect(withoutTokens(text, true).length).toBeLessThanOrEqual(text.length)
    }
  })
})
