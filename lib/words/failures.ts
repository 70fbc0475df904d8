import { toldOf, type Catalogue } from '@/lib/base/catalogue'

/** What happened to a reply, and the way out. */
const failed = {
  'failure.no-tools': '{name} takes no native tool calls.',
  'failure.no-tools-way':
    'Choose another strategy for this chat, {strategy} for example, then retry; or choose another model.',
  'failure.unreachable': 'The model stopped answering. {name} could not be reached.',
  'failure.unreachable-way': 'Check that {provider} is running, then retry.',
  'failure.unauthorised': '{provider} refused the key that this server uses for {label}.',
  'failure.unauthorised-way': 'Whoever runs Nod has to set a valid key; until then, choose another model.',
  'failure.rate-limited':
    '{provider} turns requests for {label} away for now: too many in a short time, or the quota is used up.',
  'failure.rate-limited-way':
    'Retry {seconds, select, null {later} other {in {seconds, wait}}}, or choose another model.',
  'failure.not-found': "There is no model {name}, or this server's key may not use it.",
  'failure.not-found-way': 'Choose another model, or check its name in the configuration.',
  'failure.server-error': '{provider} failed while {label} was answering.',
  'failure.server-error-way': 'Retry; if it goes on, choose another model.',
  'failure.bad-response': '{name} sent something that is not a reply.',
  'failure.bad-response-way': 'Retry; if it goes on, check that its address speaks the API that it is configured for.',
  'failure.stalled': 'The model stopped answering. Nothing came from {name} for too long.',
  'failure.stalled-way': 'Retry, or choose another model.',
  'failure.too-long': 'This chat has become too long for {name}.',
  'failure.too-long-way': 'Start a new chat, or choose a model that takes more text.',
  'failure.refused': '{name} did not accept the request.',
  'failure.refused-way': 'Details has what it said; or choose another model.',
  'failure.no-credit': 'The account at {provider} has no credit left, or its quota is used up.',
  'failure.no-credit-way': 'Add credit at {provider}, or choose another model.',
  'failure.moderated': 'The moderation of {provider} refused this request.',
  'failure.moderated-way': 'Ask in other words, or choose another model. Its reason is under Details.',
  'failure.region': '{provider} does not offer {label} in the region that it was asked from.',
  'failure.region-way': 'Choose another model. Its reason is under Details.',
  'failure.wrong-address': 'There is no chat API at the address that is set for {name}.',
  'failure.wrong-address-way': 'Check the address: it ends before /chat/completions, often with /v1.',
  'failure.web-page': '{name} answered with a web page instead of a reply.',
  'failure.web-page-way':
    'Check the address: it may lead to a sign-in page or a website. Details has the beginning of the page.',
  'failure.broke-off-early': 'The reply broke off: {name} stopped sending before the reply was complete.',
  'failure.broke-off-early-way': 'Retry, or choose another model.',
  'failure.connection-lost': 'The connection to {name} broke before the reply was complete.',
  'failure.connection-lost-way': 'Check that {provider} is running, then retry.',
  'failure.loading': '{name} is still loading its model.',
  'failure.loading-way': 'Wait a moment, then retry; or choose another model.',
  'failure.wordless': '{name} kept the connection open but wrote nothing for too long.',
  'failure.wordless-way': 'Retry, or choose another model.',
  'failure.unknown': 'The reply of {name} failed.',
  'failure.unknown-way': 'Retry, or choose another model.',
} as const satisfies Catalogue

/** Made on a server, or in a tab, and kept with its reply: `lib/words/kept-words.ts` says it to whoever reads it later. */
export const modelTold = toldOf({
  ...failed,
  'failure.nothing-ran': 'Nothing ran.',
  'failure.kept': 'What it had written is kept above; nothing ran.',
  'failure.played': 'The demo plays a failure, because you asked for it.',
  'failure.played-real': 'Of a real one it says:',
  'failure.beyond':
    'This is too long for {name}. The system prompt, the tools and the last message alone are about {tokens, about} tokens, and its window holds {windowTokens, number}, so it was not asked. Shorten the message, take parts of it out of a file that you attach, switch tools off, or choose a model that takes more text.',
  'failure.the-model': 'the model',
  'failure.the-model-begins': 'The model',
  'failure.its-server': 'the model’s server',
  'failure.name': '{label} at {provider}',
  'failure.provider.unknown': 'this server',
  'failure.provider.openai-compatible': 'your server',
  'failure.provider.chrome': 'this browser',
  'failure.provider.wllama': 'this browser',
  'failure.provider.paste': 'a chat elsewhere',
  'failure.broke-off':
    'The reply broke off. {label} stopped sending without saying that it was done. What it had written is kept above; nothing ran. Retry, or choose another model.',
  'failure.ended-oddly':
    'The reply of {label} ended for a reason that is not a normal end. What it had written is kept above; nothing ran. The reason is under Details. Retry, or choose another model.',
  'failure.declined':
    '{label} declined to answer. What it had written is kept above; nothing ran. Ask in other words, or choose another model.',
  'failure.filtered':
    'The provider’s content filter ended the reply of {label}. What it had written is kept above; nothing ran. Ask in other words, or choose another model.',

  'listing.silent-now': '{provider} could not be reached, so its models will not answer now.',
  'listing.key-refused-now': '{provider} refused the key of this server, so its models will not answer.',
  'listing.silent': '{provider} could not be reached, so its models are missing here.',
  'listing.key-refused': '{provider} refused the key of this server, so its models are missing here.',
  'listing.no-list': '{provider} did not answer with a list of models; name them in the configuration instead.',
  'listing.failed': '{provider} could not list its models{status, select, null {} other { (status {status})}}.',
  'listing.default-missing': 'The default model {missing} is not offered now; new chats start with {chosen}.',
} as const satisfies Catalogue)
