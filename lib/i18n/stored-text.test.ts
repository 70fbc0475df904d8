import { APICallError } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { AppError } from '@/lib/base/app-error'
import { storedText, renderStoredText } from '@/lib/i18n/stored-text'
import { makeError } from '@/lib/i18n/t'
import { endBrokenOff, endByReason } from '@/lib/shared/conversation/reply-end'
import { problemsOfModels } from '@/lib/shared/conversation/wire/model-problems'
import { decodeModelConfig } from '@/lib/server/models/config'
import { describeFailure, describeListingFailure, describeTooLong, refusedFailure } from '@/lib/shared/models/failure'
import { failureCodes, type ModelFailure } from '@/lib/shared/models/model'
import { inChinese } from '@/components/ui/testing/in-chinese'

const answer = (statusCode: number) =>
  new APICallError({
    message: `answer ${statusCode}`,
    url: 'http://x',
    requestBodyValues: {},
    statusCode,
    responseBody: '',
  })

/** One error of each kind. */
const errors: Readonly<Record<ModelFailure['code'], unknown>> = {
  unreachable: new TypeError('fetch failed'),
  unauthorised: answer(401),
  'rate-limited': answer(429),
  'not-found': answer(404),
  'server-error': answer(500),
  'bad-response': new SyntaxError('Unexpected token <'),
  stalled: new DOMException('The operation timed out.', 'TimeoutError'),
  'too-long': { message: 'prompt is too long' },
  refused: answer(400),
  unknown: new Error('odd'),
}

const models = {
  'of a server': { id: 'ollama/qwen3:8b', label: 'qwen3:8b', providerLabel: 'Ollama' },
  'of a server that is gone': { id: 'gone/m', label: 'm', providerLabel: '' },
  'of a browser’s server': { id: 'browser/openai-compatible:m', label: 'm', providerLabel: 'your server' },
  'that is the demo': { id: 'demo/demo', label: 'Demo (a script)', providerLabel: 'Nod', simulated: true },
}

/** Words that stay English in Chinese texts. */
const names = /qwen3:8b|Ollama|JSON_Strict|Nod|API|\/chat\/completions|\/v1|\bm\b/g
const isChinese = (text: string): boolean =>
  /\p{sc=Han}/u.test(text) && !/[A-Za-z]{2,}/.test(text.replaceAll(names, ''))

it.each(Object.entries(models))('shows a stored model failure %s to each reader in their language', (_, model) => {
  for (const code of failureCodes) {
    const failure = describeFailure(errors[code], model)
    expect(failure.code).toBe(code)
    const stored = JSON.parse(JSON.stringify(failure)) as ModelFailure
    expect(renderStoredText(stored, 'en')).toBe(failure.message)
    expect(failure.message).not.toMatch(/\p{sc=Han}/u)
    expect([code, renderStoredText(stored, 'zh-CN')]).toEqual([code, expect.toSatisfy(isChinese)])
    expect(renderStoredText(stored, 'zh-CN')).not.toMatch(/\p{sc=Han} \p{sc=Han}|） |undefined|\{/u)
  }
})

const refusal = (statusCode: number, message: string) =>
  new APICallError({ message, url: 'http://x', requestBodyValues: {}, statusCode, responseBody: '' })

it.each([
  ['no credit', refusal(402, 'pay'), /no credit left/],
  ['moderation', refusal(403, 'flagged'), /moderation of Ollama/],
  ['the region', refusal(403, 'country not supported'), /in the region of/],
  ['a wrong address', refusal(404, '404 page not found'), /no chat API/],
  ['a model that loads', refusal(503, 'Loading model'), /still loading/],
  ['a web page', { type: 'web_page', message: '<html>' }, /a web page/],
  ['a reply that broke off', { type: 'broke_off', message: '' }, /cut off/],
  ['a connection that broke', new TypeError('fetch failed'), /connection to .* was lost/],
  ['life without a word', Object.assign(new Error('no word'), { name: 'WordlessError' }), /wrote nothing/],
])('does the same for %s', (_what, error, english) => {
  const failure = describeFailure(error, models['of a server'])
  expect(failure.message).toMatch(english)
  expect(renderStoredText(failure, 'zh-CN')).toSatisfy(isChinese)
})

it('does the same for calls that ended otherwise, were never asked about, or were denied', () => {
  const failures = [
    endBrokenOff('qwen3:8b').failure,
    endByReason('content-filter', 'safety', 'qwen3:8b').failure,
    endByReason('content-filter', 'refusal', 'qwen3:8b').failure,
    endByReason('other', 'error', 'qwen3:8b').failure,
    describeTooLong({ tokens: 9_000, windowTokens: 4_096 }, models['of a server']),
    refusedFailure('not-found', makeError('unknown-model', 'models.unknown', { quoted: 'qwen3:8b' })),
  ]
  for (const failure of failures) {
    expect(failure && renderStoredText(failure, 'zh-CN').replaceAll('token', '')).toSatisfy(isChinese)
  }
})

it('names the provider in the reader’s language, and a product by its own name', () => {
  const words = (name: keyof typeof models) =>
    renderStoredText(describeFailure(errors.unauthorised, models[name]), 'zh-CN')
  expect(words('of a server')).toContain('Ollama 拒绝了此服务器用于 qwen3:8b 的密钥')
  expect(words('of a browser’s server')).toContain('你的服务器拒绝了')
  expect(words('that is the demo')).toMatch(
    /^演示模型按你的要求模拟了一次失败。.*模型的服务器拒绝了此服务器用于模型的密钥/,
  )
})

it('keeps text that others wrote, from an older row, or unknown to this build', () => {
  expect(renderStoredText({ message: 'The model stopped.' }, 'zh-CN')).toBe('The model stopped.')
  const unknown = storedText({ reason: 'failure.of-another-build', values: {}, message: 'It broke.' })
  expect(renderStoredText(unknown, 'zh-CN')).toBe('It broke.')
  const known = describeFailure(errors.unreachable, models['of a server'])
  const mixed = { ...known, said: [...(known.said ?? []), ...unknown.said] }
  expect(renderStoredText(mixed, 'zh-CN')).toBe(known.message)
})

it('shows problems with model sources and their configuration in the reader’s language', () => {
  const { problems } = decodeModelConfig(
    JSON.stringify({ providers: [{ kind: 'openai' }, { kind: 'x' }, { kind: 'ollama', models: ['m'] }], budgets: [7] }),
    { NOD_OLLAMA: 'off', NOD_OPENAI_COMPATIBLE_URL: 'nowhere' },
  )
  const told = [...problems, describeListingFailure(errors.unreachable, 'Ollama')]
  expect(told).toHaveLength(6)
  const listed = { problems: told.map(({ message }) => message), problemsTold: told }
  expect(problemsOfModels(listed)).toEqual(listed.problems)
  inChinese()
  const said = problemsOfModels(listed)
  expect(said.filter((text) => !/\p{sc=Han}/u.test(text) || / (?:is|the|its|of) /.test(text))).toEqual([])
  // An older server sends it only in English.
  expect(problemsOfModels({ problems: listed.problems })).toEqual(listed.problems)
})

it('a refusal keeps its reason', () => {
  const error = new AppError('unknown-model', { reason: 'models.unknown', values: { quoted: 'x' }, message: 'gone' })
  expect(refusedFailure('not-found', error).said).toEqual([{ reason: 'models.unknown', values: { quoted: 'x' } }])
})
