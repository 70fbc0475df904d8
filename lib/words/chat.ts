import { errorsOf, refusalsOf, type Catalogue, type ReasonOf } from '@/lib/base/catalogue'
import type { KeptSentence } from './kept-words'

/** As the failure of the model is kept. A server of before says `why` alone: that is shown as it said it. */
export type WhyNoTitle = { readonly why: string; readonly said: readonly KeptSentence[] }

/** What the server refuses of a chat. */
export const chatWords = {
  'chat.tool-name-taken': 'Nod has a tool of its own called {name}, or much like it. Choose another name.',
  'chat.not-here': 'There is no chat under this address.',
  'chat.deleted': 'This chat was deleted.',
  'chat.no-message': 'This message is not in this chat.',
  'chat.no-reply': 'There is no such reply.',
  'chat.reply-not-here': 'This reply is not in this chat.',
  'chat.reply-changed': 'This reply was changed elsewhere a moment ago. Look at it again.',
  'chat.no-preset': 'This preset was deleted.',
  'chat.no-picture': 'There is no such picture.',
  'chat.no-parent': 'The message that this one answers is not in this chat.',
  'chat.head-not-said': 'Which message should be shown was not said.',
  'chat.empty-message': 'There is nothing in this message.',
  'chat.not-yours': 'A reply can only be written to a message of yours.',
  'chat.writing': 'A reply is still being written in this conversation. Stop it first, or wait.',
  'chat.writing-here': 'A reply is being written in this chat. Stop it first, or wait.',
  'chat.went-on': 'This chat went on elsewhere, so nothing was added here. Look at it as it stands now.',
  'chat.tab-model':
    'This chat’s model ({model}) is one of a browser, and this browser does not have it. Choose another model here, or go on in the browser that has it.',
  'chat.other-tab': 'Another tab writes this reply.',
  'chat.tab-over': 'This reply has ended, so nothing more is written.',
  'chat.restarting': 'The server is being restarted. Your message is kept; send it again in a moment.',
  'chat.restarting-view': 'The server is being restarted. The reply goes on; look again in a moment.',
  'chat.server-full': 'The server writes as many replies as it can. Send it again in a moment.',
  'chat.queue-full':
    'The server writes as many replies as it can, and {count, plural, one {one more waits} other {# more wait}}. Your message is kept; there may be a place in {seconds} s.',
  'chat.too-many-views':
    '{count} views of running replies are open, and no more can be at a time. Close a tab of this chat.',
  'chat.too-many-views-of-address':
    '{count} views of running replies are open from your network, and no more can be at a time. Close a tab of this chat, or wait until others there have read theirs.',
  'chat.not-saved':
    'This reply could not be saved. {why} What had been saved of it is kept, and the server goes on trying to save the rest.',

  'chat.results.no-reply': 'Results can only answer a reply of the model.',
  'chat.results.unfinished': 'This reply did not finish, so none of its calls counts and nothing can be sent.',
  'chat.results.no-call': 'This reply holds no call whose result could be sent.',
  'chat.results.sent-before': 'The results of this reply were sent already, once. They are in the chat.',
  'chat.results.elsewhere':
    'This chat stands on another branch, so these results were not sent. Go to the branch of this reply and send them there.',
  'chat.results.gated': 'A result still waits for you ({names, list}), so nothing was sent.',
  'chat.results.open': 'A call still waits for you or runs ({names, list}), so the results are not complete.',
  'chat.results.rounds':
    '{rounds, plural, one {One round} other {# rounds}} of tools without a word from you. Continue?',

  'chat.call.not-the-stored': 'This call is not the one that stands in the stored reply. Reload the page.',
  'chat.call.not-cancellable': 'Only a call that was about to run can be cancelled, and only by you.',
  'chat.call.no-by-you': 'Only you can deny a call or leave it out.',
  'chat.call.not-running': 'This call does not run here, so there is nothing to stop.',
  'chat.call.not-granted': 'This result belongs to no run that was granted here, so it is not kept.',
  'chat.call.still-written': 'This reply is still being written, so nothing in it can run yet.',
  'chat.call.unfinished': 'This reply did not finish, so nothing in it can run.',
  'chat.call.none': 'There is no such call in this reply.',
  'chat.call.not-runnable': 'This call cannot run as it stands.',
  'chat.call.click-guess': 'This call was read by a guess, so it needs your click.',
  'chat.call.click-marks': 'This call holds characters that don’t show what they are, so it needs your click.',
  'chat.call.click-repeats': 'The model has asked for this five times, so it needs your click.',
  'chat.call.click-unknown-tool': 'This tool is not known here, so it needs your click.',
  'chat.call.click-again': 'This call was started before, so it needs your click.',
  'chat.call.click-lifted': 'The model did not write this as a call, so it needs your click.',
  'chat.call.click-tool': '{tool} does not run by itself here, so it needs your click.',
  'chat.call.click-no-grant': 'No yes that was remembered before this reply covers this call, so it needs your click.',
  'chat.call.click-all': 'Every call of this chat waits for a click, so it needs your click.',

  'chat.grant.not-allowed': 'A yes to this call of {tool} cannot be remembered in this way.',
  'chat.grant.too-many': 'This chat remembers {most} answers, which is as many as it can.',
  'chat.grant.all-click': 'Every call of this chat waits for a click, so no yes is remembered.',
  'chat.grant.none': 'There is no such remembered answer in this chat.',

  'chat.lab.off': 'The lab is switched off on this server, so its models are not measured here.',
  'chat.lab.busy': 'The server has chats to answer first. The lab goes on in {seconds} s.',

  'chat.share.none': 'There is no such link of yours: it was ended, or has expired.',
  'chat.share.gone': 'This link shows nothing any more: it has expired, or was ended.',
  'chat.share.off': 'Sharing by a link is switched off on this server.',
  'chat.share.too-fast': 'Too many looks at shared chats at once. Wait {seconds} s and try again.',
  'chat.title.in-browser':
    'The model of this chat is in a browser. Open the chat there, and name it from the menu at its title.',
  'chat.title.nothing-said': 'Nothing was written in this chat yet, so there is nothing to name it by.',
  'chat.title.busy': 'The server has chats to answer first. Ask for a name again in a moment, or write one.',
  'chat.title.failed': ({ why }: WhyNoTitle) => `The model gave no name. ${why}`,
  'chat.title.none': 'The model’s answer holds no name. Ask again, or write one.',

  'chat.import.too-many-of-owner':
    'Other imports of yours are still under way. Wait until they are done, then try this one again.',
  'chat.import.server-full': 'The server has enough imports to do. Try again in a moment.',
  'chat.import.taken-back-early': 'The request was taken back before its turn came.',
  'chat.import.taken-back': 'The request was taken back.',
  'chat.import.same-id': 'This is no chat that can be imported: two messages have the same id. Nothing was imported.',
  'chat.import.head-missing':
    'This is no chat that can be imported: the message that it shows is not in it. Nothing was imported.',
  'chat.import.decided-twice': 'This is no chat that can be imported: a call was decided twice. Nothing was imported.',
  'chat.import.call-without-reply':
    'This is no chat that can be imported: a call belongs to no finished reply. Nothing was imported.',
  'chat.import.result-in-no-answer':
    'This is no chat that can be imported: the result of a call was sent in no answer to its reply. Nothing was imported.',
  'chat.import.changed-twice': 'This is no chat that can be imported: a call was changed twice. Nothing was imported.',
  'chat.import.change-without-reply':
    'This is no chat that can be imported: a change belongs to no reply. Nothing was imported.',
  'chat.import.two-pictures':
    'This is no chat that can be imported: an attachment has two pictures. Nothing was imported.',
  'chat.import.picture-without-file':
    'This is no chat that can be imported: a picture belongs to no attachment. Nothing was imported.',
  'chat.import.message-before-its-parent':
    'This is no chat that can be imported: a message answers one that does not stand before it. Nothing was imported.',
  'chat.import.reply-without-message':
    'This is no chat that can be imported: a reply answers no message of a user. Nothing was imported.',
  'chat.import.empty-message': 'This is no chat that can be imported: a message is empty. Nothing was imported.',
  'chat.import.late-without-reply':
    'This is no chat that can be imported: a result that came late belongs to no reply before it. Nothing was imported.',
  'chat.import.two-results':
    'This is no chat that can be imported: a call has two results in one message. Nothing was imported.',
  'chat.import.result-without-call':
    'This is no chat that can be imported: a result answers no call of the reply before it. Nothing was imported.',
  'chat.import.decision-without-call':
    'This is no chat that can be imported: a decision belongs to no call of its reply. Nothing was imported.',
} as const satisfies Catalogue

export type ChatReason = ReasonOf<typeof chatWords>

export const chatError = errorsOf(chatWords)
export const chatRefusal = refusalsOf(chatWords)
