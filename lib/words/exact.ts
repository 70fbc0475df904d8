import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { numberWords } from '@/lib/base/locale'

/** What is said of replies that a server holds to the form of a call. */
export const exactSentence = sentencesOf({
  'exact.about':
    'Some servers can hold a model to a grammar: prose stays free, and a call that begins can only be a right one. Others take a JSON schema, which binds all of a reply.',
  'exact.form': 'Hold replies to the form of {strategy}',
  'exact.said-refused':
    'The {by} of {model} turned the {takes, select, grammar {grammar} other {JSON schema}} of {strategy} down, so this reply was written without it. Its calls are read, and mended where they can be, as ever.',
  'exact.said-ignored':
    'The {by} of {model} does nothing with the {takes, select, grammar {grammar} other {JSON schema}} of {strategy}, so replies are written without it. Calls are read, and mended where they can be, as ever.',
  'exact.said-broken':
    'This reply was asked to keep to the {takes, select, grammar {grammar} other {JSON schema}} of {strategy} and does not: the {by} of {model} binds it in part only. Look at its calls before you run them.',
  'exact.native': 'Native leaves the form of a call to the server: there is nothing to hold here.',
  'exact.no-tools': 'Tools are off, so there is no call to hold.',
  'exact.unknown-model': 'The model is not listed now.',
  'exact.none':
    'No way is known to give the server of {model} a grammar. Calls are read, and mended where they can be.',
  'exact.schema-only':
    'The server of {model} takes a JSON schema, which binds all of a reply, and only {strategy} can say all of it in JSON. Choose {strategy} to have replies held to it.',
  'exact.off-whole':
    'Off unless you switch it on: the server of {model} takes a JSON schema, so that a whole reply becomes JSON. Its words are still shown as words; the switch changes the system prompt.',
  'exact.whole': 'Replies come as JSON, words and calls alike, and their words are shown as words.',
  'exact.untried': 'The next reply asks {model} one short question first, which shows whether its server binds.',
  'exact.honoured':
    'The {by} of {model} binds: a call can only name the tools of this chat, with arguments of their types.{by, select, engine { Its words come about a fifth slower so; switched off, calls are read and mended as ever.} other {}}',
  'exact.half':
    'The {by} of {model} took it and did not keep to it. It is still asked; no reply is called exact that does not read so.',
  'exact.ignored':
    'The {by} of {model} does nothing with it, so replies are written as ever. It is tried again after a while.',
  'exact.refused':
    'The {by} of {model} turned it down, so replies are written as ever. It is tried again after a while.',
  'exact.off-here':
    'Off unless you switch it on: asking {model} may cost something, or nobody knows what its server is.',
  'lost.said':
    '{count, plural, =1 {In one place} other {In {count} places}} of this reply stands �, the sign for bytes that are no text. Unless the model meant the sign itself, something was lost there{wasExact, select, true {, and the reply is not called exact} other {}}. {by, select, person {Look there before you run a call, or copy the reply once more.} engine {Look there before you run a call, or ask again; if it goes on, take another file of this model.} other {Look there before you run a call, or ask again; if it goes on, the server of {model} may need an update.}}',
  'reuse.some': ({ tokens, cached }: { readonly tokens: number; readonly cached: number }) =>
    `Of the last prompt’s ${numberWords(tokens)} tokens the server still had ${numberWords(cached)} (${Math.round((100 * cached) / Math.max(1, tokens))} %).`,
  'reuse.unsaid': 'The server did not say how much of the last prompt it still had.',
  'reuse.why': 'A change of model, call format, tools or system prompt makes it read all of it anew.',
} as const satisfies Catalogue)
