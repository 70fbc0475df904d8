import { errorsOf, refusalsOf, type Catalogue, type ReasonOf } from '@/lib/base/catalogue'
import { plural } from '@/lib/base/locale'
import { roundsQuestion } from './rounds-question'

const needsClick = (why: string): string => `${why}, so it needs your click.`
const noImport = (why: string): string => `This is no chat that can be imported: ${why}. Nothing was imported.`

/** What the server refuses of a chat. */
export const chatWords = {
  'chat.tool-name-taken': ({ name }: { readonly name: string }) =>
    `Nod has a tool of its own called ${name}, or much like it. Choose another name.`,
  'chat.not-here': 'There is no chat under this address.',
  'chat.deleted': 'This chat was deleted.',
  'chat.no-message': 'This message is not in this chat.',
  'chat.no-reply': 'There is no such reply.',
  'chat.reply-not-here': 'This reply is not in this chat.',
  'chat.reply-changed': 'This reply was changed elsewhere a moment ago. Look at it again.',
  'chat.no-picture': 'There is no such picture.',
  'chat.no-parent': 'The message that this one answers is not in this chat.',
  'chat.head-not-said': 'Which message should be shown was not said.',
  'chat.empty-message': 'There is nothing in this message.',
  'chat.not-yours': 'A reply can only be written to a message of yours.',
  'chat.writing': 'A reply is still being written in this conversation. Stop it first, or wait.',
  'chat.writing-here': 'A reply is being written in this chat. Stop it first, or wait.',
  'chat.went-on': 'This chat went on elsewhere, so nothing was added here. Look at it as it stands now.',
  'chat.restarting': 'The server is being restarted. Your message is kept; send it again in a moment.',
  'chat.restarting-view': 'The server is being restarted. The reply goes on; look again in a moment.',
  'chat.server-full': 'The server writes as many replies as it can. Send it again in a moment.',
  'chat.queue-full': ({ count, seconds }: { readonly count: number; readonly seconds: number }) =>
    `The server writes as many replies as it can, and ${plural(count, { one: 'one more waits', other: `${count} more wait` })}. Your message is kept; there may be a place in ${seconds} s.`,
  'chat.too-many-views': ({ count }: { readonly count: number }) =>
    `${count} views of running replies are open, and no more can be at a time. Close a tab of this chat.`,
  'chat.not-saved': ({ why }: { readonly why: string }) =>
    `This reply could not be saved. ${why} What had been saved of it is kept, and the server goes on trying to save the rest.`,

  'chat.results.no-reply': 'Results can only answer a reply of the model.',
  'chat.results.unfinished': 'This reply did not finish, so none of its calls counts and nothing can be sent.',
  'chat.results.no-call': 'This reply holds no call whose result could be sent.',
  'chat.results.sent-before': 'The results of this reply were sent already, once. They are in the chat.',
  'chat.results.elsewhere':
    'This chat stands on another branch, so these results were not sent. Go to the branch of this reply and send them there.',
  'chat.results.gated': ({ names }: { readonly names: readonly string[] }) =>
    `A result still waits for you (${names.join(', ')}), so nothing was sent.`,
  'chat.results.open': ({ names }: { readonly names: readonly string[] }) =>
    `A call still waits for you or runs (${names.join(', ')}), so the results are not complete.`,
  'chat.results.rounds': ({ rounds }: { readonly rounds: number }) =>
    `${roundsQuestion(rounds)} Send the results again to go on.`,

  'chat.call.not-the-stored': 'This call is not the one that stands in the stored reply. Reload the page.',
  'chat.call.not-cancellable': 'Only a call that was about to run can be cancelled, and only by you.',
  'chat.call.no-by-you': 'Only you can deny a call or leave it out.',
  'chat.call.not-running': 'This call does not run here, so there is nothing to stop.',
  'chat.call.not-granted': 'This result belongs to no run that was granted here, so it is not kept.',
  'chat.call.still-written': 'This reply is still being written, so nothing in it can run yet.',
  'chat.call.unfinished': 'This reply did not finish, so nothing in it can run.',
  'chat.call.none': 'There is no such call in this reply.',
  'chat.call.not-runnable': 'This call cannot run as it stands.',
  'chat.call.click-guess': needsClick('This call was read by a guess'),
  'chat.call.click-marks': needsClick('This call holds characters that don’t show what they are'),
  'chat.call.click-repeats': needsClick('The model has asked for this five times'),
  'chat.call.click-unknown-tool': needsClick('This tool is not known here'),
  'chat.call.click-again': needsClick('This call was started before'),
  'chat.call.click-lifted': needsClick('The model did not write this as a call'),
  'chat.call.click-tool': ({ tool }: { readonly tool: string }) => needsClick(`${tool} does not run by itself here`),
  'chat.call.click-no-grant': needsClick('No yes that was remembered before this reply covers this call'),
  'chat.call.click-all': needsClick('Every call of this chat waits for a click'),

  'chat.grant.not-allowed': ({ tool }: { readonly tool: string }) =>
    `A yes to this call of ${tool} cannot be remembered in this way.`,
  'chat.grant.too-many': ({ most }: { readonly most: number }) =>
    `This chat remembers ${most} answers, which is as many as it can.`,
  'chat.grant.all-click': 'Every call of this chat waits for a click, so no yes is remembered.',
  'chat.grant.none': 'There is no such remembered answer in this chat.',

  'chat.import.too-many-of-owner':
    'Other imports of yours are still under way. Wait until they are done, then try this one again.',
  'chat.import.server-full': 'The server has enough imports to do. Try again in a moment.',
  'chat.import.taken-back-early': 'The request was taken back before its turn came.',
  'chat.import.taken-back': 'The request was taken back.',
  'chat.import.same-id': noImport('two messages have the same id'),
  'chat.import.head-missing': noImport('the message that it shows is not in it'),
  'chat.import.decided-twice': noImport('a call was decided twice'),
  'chat.import.call-without-reply': noImport('a call belongs to no finished reply'),
  'chat.import.result-in-no-answer': noImport('the result of a call was sent in no answer to its reply'),
  'chat.import.changed-twice': noImport('a call was changed twice'),
  'chat.import.change-without-reply': noImport('a change belongs to no reply'),
  'chat.import.two-pictures': noImport('an attachment has two pictures'),
  'chat.import.picture-without-file': noImport('a picture belongs to no attachment'),
  'chat.import.message-before-its-parent': noImport('a message answers one that does not stand before it'),
  'chat.import.reply-without-message': noImport('a reply answers no message of a user'),
  'chat.import.empty-message': noImport('a message is empty'),
  'chat.import.late-without-reply': noImport('a result that came late belongs to no reply before it'),
  'chat.import.two-results': noImport('a call has two results in one message'),
  'chat.import.result-without-call': noImport('a result answers no call of the reply before it'),
  'chat.import.decision-without-call': noImport('a decision belongs to no call of its reply'),
} satisfies Catalogue

export type ChatReason = ReasonOf<typeof chatWords>

export const chatError = errorsOf(chatWords)
export const chatRefusal = refusalsOf(chatWords)
