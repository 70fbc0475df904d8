import { labelsOf, sentencesOf, storedSentencesOf, type Catalogue, type ReasonOf } from '@/lib/base/catalogue'
import type { JsonObject } from '@/lib/base/json'
import { wrongFormWords } from './wrong-form'

/** Why a trial was judged as it was. */
const whyWords = {
  'lab.why.right': 'The calls are those that were expected.',
  'lab.why.repaired':
    'The calls are those that were expected, after a repair{repairs, select, empty {} other {: {repairs, clauses}}}.',
  'lab.why.words': 'It answered in words and called nothing, as it should.',
  'lab.why.asked': 'It asked for what was missing and called nothing, as it should.',
  'lab.why.did-not-ask': 'It called nothing, but did not ask for what was missing either.',
  'lab.why.no-call': 'It answered in words, where a call was needed.',
  'lab.why.empty': 'It wrote nothing.',
  'lab.why.cut-off': 'The reply ran into the model’s limit, so nothing in it counts as a call.',
  'lab.why.broken':
    'It wrote a call that can’t be read: {reason, select, truncated {it breaks off} missing_end {its end is missing} missing_name {it names no tool} bad_json {its JSON can’t be read} bad_arguments {its arguments are no object} placeholder {a value is still the placeholder of the example} too_deep {it is nested too deep} other {{reason}}}.',
  'lab.why.foreign': 'It wrote a call in another form ({dialect}), not in the one it was told.',
  'lab.why.quoted': 'The call stands in a quotation, an example or its thoughts, so it is none.',
  'lab.why.nearly': 'It wrote something that resembles a call and is none.',
  'lab.why.false-call': 'It called {name}, where words were right.',
  'lab.why.wrong-tool': 'It called {name}; {wanted} was right.',
  'lab.why.too-few': 'It made {calls, plural, one {# call} other {# calls}} of the {wanted} that were needed.',
  'lab.why.too-many':
    'It made {calls, plural, one {# call} other {# calls}}, where {wanted} {wanted, plural, one {was} other {were}} needed.',
  'lab.why.invalid':
    'The arguments of {name} do not fit the tool: {argument, select, empty {} other {{argument} }}{problem}.',
  'lab.why.missing': 'The call of {name} leaves out {argument}.',
  'lab.why.unexpected': 'The call of {name} says {argument}, which nobody asked for.',
  'lab.why.other-value': 'In the call of {name}, {argument} has another value than any that is right.',
  'lab.why.same-twice': 'The calls of {name} are not all those that were needed.',
} as const satisfies Catalogue

export type LabReason = ReasonOf<typeof whyWords>

/** A reason with its values, as it is stored; its sentence is made when it is shown. */
export interface LabWhy {
  readonly reason: string
  readonly values: JsonObject
}

export const labWhy = (reason: LabReason, values: JsonObject = {}): LabWhy => ({ reason, values })

const whySentence = storedSentencesOf(whyWords)

export const labWhySentence = ({ reason, values }: LabWhy): string => whySentence(reason, values) ?? reason

export type NoProbe =
  | 'no-object'
  | 'no-id'
  | 'no-question'
  | 'no-tool'
  | 'tool-without-name'
  | 'parameter-name'
  | 'wild-schema'
  | 'too-deep'

/** What the import of probes and of results says. */
export const labImportWords = {
  'lab.import.not-json': 'In line {line, number} there is no JSON. It was left out.',
  'lab.import.not-a-probe':
    'In line {line, number} there is no probe ({problem, select, no_object {it is no object} no_id {it has no id} no_question {it has no question} no_tool {it offers no tool} tool_without_name {a tool has no name} parameter_name {a parameter has a name that no tool may use} wild_schema {the schema of a tool is too large, or has names that no tool may use} too_deep {it is nested too deep} other {{problem}}}). It was left out.',
  'lab.import.two-turns':
    '{id} (line {line, number}) is a conversation of several turns, which the lab does not play. It was left out.',
  'lab.import.no-answer': 'For {id} (line {line, number}) the file of answers has none. It was left out.',
  'lab.import.answer-unfit':
    'The answer to {id} (line {line, number}) calls {name}, which the probe does not offer. It was left out.',
  'lab.import.same-id': '{id} (line {line, number}) stands there a second time. It was left out.',
  'lab.import.same-tool':
    '{id} (line {line, number}) offers two tools that would both be called {name}. It was left out.',
  'lab.import.too-many':
    'More than {most, plural, one {# probe} other {# probes}} are too many for one lab: all from line {line, number} on were left out. Put those into a file of their own to measure them, too.',
  'lab.import.line-too-long': 'A probe may not be as long as line {line, number} is. It was left out.',
  'lab.import.file-too-large':
    'This file has {size}; the lab takes {most} at most. Nothing was imported, and what was here stays.',
  'lab.import.probes-too-large':
    'This file has {size}; the lab takes {most} at most. Cut it into smaller files, by lines. Nothing was imported, and what was here stays.',
  'lab.import.nothing': 'There is no probe in this file that the lab can use. What was here stays.',
  'lab.import.only-answers': 'This file holds answers. Choose the file of questions together with it.',
  'lab.import.not-a-result': `This file is no result of a lab ({where, select, empty {} other {{where}: }}${wrongFormWords}). Nothing was imported, and what was here stays.`,
} as const satisfies Catalogue

/** What the page of the lab says of numbers. */
export const labWords = {
  'lab.compare.better': '{better} beats {worse} here, {p, chance}.',
  'lab.compare.none': 'No difference shown between {first} and {second} ({p, chance}).',
  'lab.arm': '{strategy}, exact',
  'lab.exact.helps': 'Exact helps {strategy} here, {p, chance}.',
  'lab.exact.hurts': 'Exact makes {strategy} worse here, {p, chance}.',
  'lab.exact.same': 'No difference shown between {strategy} exact and as ever ({p, chance}).',
  'lab.exact.held':
    'Of {trials, plural, one {# exact trial} other {# exact trials}} of {strategy} the server held {held, number}; the others were asked so and count as they came.',
  'lab.exact.choice': 'Also with exact calls: each probe once more, held to the form of its call format',
  'lab.exact.none': 'This model’s server can’t be asked to hold any of the chosen call formats to its form.',
  'lab.exact.which':
    'For {strategies, list}. {byDefault, select, true {Chats with this model are asked so unless they say otherwise.} other {Chats with this model are asked so only where they want it.}}',
  'lab.prices.configured':
    'Whoever runs this server says {perMillionIn} sent and {perMillionOut} written. Type others to count with them.',
  'lab.compare.only-one': 'One call format alone has nothing to be compared with.',
  'lab.spread':
    'Between the best and the worst call format lie {difference, hundredths} points of a hundred; the standard deviation is {deviation, hundredths}.',
  'lab.share': '{rate, share}, between {low, share} and {high, share}',
  'lab.estimate':
    '{requests, plural, one {# request} other {# requests}} at most: about {tokensIn, about} tokens are sent, about {tokensOut, about} written.',
  'lab.estimate.cost': 'At these prices that is about {cost, cost}.',
  'lab.estimate.too-many':
    'That would be {trials, number} trials; a lab plays {most, number} at most. Choose fewer call formats, fewer trials of each probe, or only probes with a certain word.',
  'lab.estimate.none': 'Choose at least one call format and one kind of probe.',
  'lab.progress': '{done, number} of {all, plural, one {# trial} other {# trials}} have a verdict.',
  'lab.running': '{running, plural, one {# reply is} other {# replies are}} being written.',
  'lab.failed':
    '{failed, plural, one {# trial} other {# trials}} got no reply. {failed, plural, one {It has} other {They have}} no verdict; Resume tries {failed, plural, one {it} other {them}} again.',
  'lab.gave-up': 'The lab stopped by itself. What was measured is kept; Resume goes on from there.',
  'lab.few':
    'So far {trials, plural, one {# trial} other {# trials}} a call format: enough to see a disaster, not a difference.',
  'lab.trouble.unreachable': 'The server could not be reached.',
  'lab.trouble.broke-off': 'The reply broke off on its way.',
  'lab.trouble.not-opened': 'This model of your browser could not be opened. Look at it in the chat’s list of models.',
  'lab.trouble.unknown': 'A reply could not be had.',
  'lab.trouble.not-kept':
    'This browser did not keep a trial (it may be out of room), so the lab stopped. Delete a lab or free some room, then go on.',
  'lab.trouble.file-gone':
    'The file of these probes can’t be read any more, so this lab can’t go on. Its report stands.',
  'lab.imported':
    '{count, plural, one {# probe} other {# probes}} from this file{left, plural, =0 {.} one {; # line could not be used:} other {; # lines could not be used:}}',
  'lab.switch.best':
    '{unread, number} of the last {replies, number} replies held a call that can’t be read. For this model {by, select, null {the lab} empty {somebody who gave no name} other {{by}}} measured {strategy} to be the best.',
  'lab.switch.use': 'Use {strategy}',
  'lab.switch': '{foreign, number} of the last {replies, number} replies wrote their calls in the form of {strategy}.',
} as const satisfies Catalogue

export const labSentence = sentencesOf(labWords)

/** What a kind of probe tries, in two or three words. */
export const probeKindWords = labelsOf('lab.kind', {
  'one-call': 'one call',
  'one-of-six': 'the right one of six',
  'two-calls': 'two calls',
  'none-fits': 'no tool fits',
  'must-ask': 'must ask back',
  'needs-result': 'needs a result first',
  'hard-arguments': 'hard arguments',
  'quotes-example': 'speaks of calls only',
  'stops-after': 'stops after the answer',
  paraphrase: 'other words',
  distractors: 'twenty other tools',
  imported: 'from your file',
} as const)

export const verdictWords = labelsOf('lab.verdict', {
  right: 'right',
  repaired: 'repaired',
  'wrong-arguments': 'wrong arguments',
  'wrong-tool': 'wrong tool',
  unreadable: 'unreadable',
  'no-call': 'no call',
  'false-call': 'false call',
} as const)
