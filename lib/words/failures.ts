import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { numberWords } from '@/lib/base/locale'

/** What a sentence about a model that failed may name. `name`: model and provider; `strategy`: one that it takes; `seconds`: when to come again. */
type Failed = (values: {
  readonly name: string
  readonly label: string
  readonly provider: string
  readonly strategy: string
  readonly seconds: number | null
}) => string

const later = (seconds: number | null): string => {
  if (seconds === null) return 'later'
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.ceil(seconds / 60)} minutes`
}

/** An estimate says no more than two figures. */
const round = (tokens: number): number => Number(tokens.toPrecision(2))

/** What happened to a reply, and the way out. */
const failed = {
  'failure.no-tools': ({ name }) => `${name} takes no native tool calls.`,
  'failure.no-tools-way': ({ strategy }) =>
    `Choose another strategy for this chat, ${strategy} for example, then retry; or choose another model.`,
  'failure.unreachable': ({ name }) => `The model stopped answering. ${name} could not be reached.`,
  'failure.unreachable-way': ({ provider }) => `Check that ${provider} is running, then retry.`,
  'failure.unauthorised': ({ provider, label }) => `${provider} refused the key that this server uses for ${label}.`,
  'failure.unauthorised-way': () => 'Whoever runs Nod has to set a valid key; until then, choose another model.',
  'failure.rate-limited': ({ provider, label }) =>
    `${provider} turns requests for ${label} away for now: too many in a short time, or the quota is used up.`,
  'failure.rate-limited-way': ({ seconds }) => `Retry ${later(seconds)}, or choose another model.`,
  'failure.not-found': ({ name }) => `There is no model ${name}, or this server's key may not use it.`,
  'failure.not-found-way': () => 'Choose another model, or check its name in the configuration.',
  'failure.server-error': ({ provider, label }) => `${provider} failed while ${label} was answering.`,
  'failure.server-error-way': () => 'Retry; if it goes on, choose another model.',
  'failure.bad-response': ({ name }) => `${name} sent something that is not a reply.`,
  'failure.bad-response-way': () =>
    'Retry; if it goes on, check that its address speaks the API that it is configured for.',
  'failure.stalled': ({ name }) => `The model stopped answering. Nothing came from ${name} for too long.`,
  'failure.stalled-way': () => 'Retry, or choose another model.',
  'failure.too-long': ({ name }) => `This chat has become too long for ${name}.`,
  'failure.too-long-way': () => 'Start a new chat, or choose a model that takes more text.',
  'failure.refused': ({ name }) => `${name} did not accept the request.`,
  'failure.refused-way': () => 'Details has what it said; or choose another model.',
  'failure.unknown': ({ name }) => `The reply of ${name} failed.`,
  'failure.unknown-way': () => 'Retry, or choose another model.',
} satisfies Readonly<Record<string, Failed>>

const kept = 'What it had written is kept above; nothing ran.'

export const modelSentence = sentencesOf({
  ...failed,
  'failure.nothing-ran': 'Nothing ran.',
  'failure.kept': kept,
  'failure.played': ({ what, way, safe }: { readonly what: string; readonly way: string; readonly safe: string }) =>
    `The demo plays a failure, because you asked for it. Of a real one it says: “${what.charAt(0).toUpperCase()}${what.slice(1)} ${way}” ${safe}`,
  'failure.beyond': ({
    name,
    tokens,
    windowTokens,
  }: {
    readonly name: string
    readonly tokens: number
    readonly windowTokens: number
  }) =>
    `This is too long for ${name}. The system prompt, the tools and the last message alone are about ${numberWords(round(tokens))} tokens, and its window holds ${numberWords(windowTokens)}, so it was not asked. Shorten the message, take parts of it out of a file that you attach, switch tools off, or choose a model that takes more text.`,
  'failure.the-model': 'the model',
  'failure.the-model-begins': 'The model',
  'failure.its-server': 'the model’s server',
  'failure.broke-off': ({ label }: { readonly label: string }) =>
    `The reply broke off. ${label} stopped sending without saying that it was done. ${kept} Retry, or choose another model.`,
  'failure.filtered': ({ label }: { readonly label: string }) =>
    `The provider’s content filter ended the reply of ${label}. ${kept} Ask in other words, or choose another model.`,

  'listing.silent-now': ({ provider }: { readonly provider: string }) =>
    `${provider} could not be reached, so its models will not answer now.`,
  'listing.key-refused-now': ({ provider }: { readonly provider: string }) =>
    `${provider} refused the key of this server, so its models will not answer.`,
  'listing.silent': ({ provider }: { readonly provider: string }) =>
    `${provider} could not be reached, so its models are missing here.`,
  'listing.key-refused': ({ provider }: { readonly provider: string }) =>
    `${provider} refused the key of this server, so its models are missing here.`,
  'listing.no-list': ({ provider }: { readonly provider: string }) =>
    `${provider} did not answer with a list of models; name them in the configuration instead.`,
  'listing.failed': ({ provider, status }: { readonly provider: string; readonly status: number | null }) =>
    `${provider} could not list its models${status === null ? '' : ` (status ${status})`}.`,
  'listing.default-missing': ({ missing, chosen }: { readonly missing: string; readonly chosen: string }) =>
    `The default model ${missing} is not offered now; new chats start with ${chosen}.`,
} satisfies Catalogue)
