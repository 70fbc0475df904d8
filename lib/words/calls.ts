import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { plural } from '@/lib/base/locale'

/** What a card says of what its browser could not do with a call. */
const callWords = {
  'calls.reply-not-in-view': 'This reply is not in view any more. Open its chat and try again.',
  'calls.decided': 'This call was decided already, so it can’t be changed any more.',
  'calls.decided-already': 'This call was decided already.',
  'calls.nothing-waits': 'No result of this call waits for you.',
  'calls.decided-elsewhere': 'This result was decided in another tab first. It stands here as it was decided there.',
  'calls.one-before-failed': 'Not started: a call before it failed.',
  'calls.limit':
    'Not started: {limit, plural, one {one call} other {# calls}} of this reply ran, and this chat allows no more of one reply. The model is told so together with the results.',
  'calls.not-run-here': 'This browser could not run the call. {why}',
  'calls.not-remembered': 'Nothing was remembered, and nothing ran. {why}',
  'calls.page-broken': 'Something went wrong in this page. Reload it; what is stored is kept.',
  'calls.not-denied-yet': 'It is not denied yet, and nothing ran. {why}',
  'calls.not-skipped-yet': 'It is not skipped yet, and nothing ran. {why}',
  'calls.reason-not-added': 'The reason was not added. {why}',
  'calls.cancel-not-stored': 'It was not started, but that is not stored. {why}',
  'calls.changed-elsewhere':
    'The call was changed in another tab meanwhile. It stands here as it is now: decide again.',
  'calls.files-changed': ({ paths }: { readonly paths: readonly string[] }) => {
    const [first = 'The file', second = '', ...more] = paths
    const others = plural(paths.length - 1, { one: second, other: `${more.length + 1} others` })
    const what = paths.length < 2 ? first : `${first} and ${others}`
    return `Nothing ran: ${what} changed since you looked. What stands here now is what would happen; run it again if it is right.`
  },
  'calls.tools-not-started': 'The tools could not be started, so nothing ran. {why}',
  'calls.unanswered': 'This is a question to you: answer it on its card.',
  'calls.locks-denied':
    'This browser blocks site data for this page, so tools cannot run. Allow it in the site settings of the browser, then reload the page.',
  'calls.no-locks': 'This page needs HTTPS or localhost to run tools.',
  'calls.nothing-ran': 'Nothing ran. {why}',
  'calls.stop-not-stored': 'That you stopped this is not stored: {why} After a reload this page knows less of it.',
  'calls.result-not-stored-yet':
    'The result is not stored yet: the server can’t be reached. It is kept here, and tried again.',
  'calls.result-not-stored': 'The result could not be stored.',
  'calls.results-not-sent-yet':
    'The results are not sent yet: the server can’t be reached. They are kept, and tried again.',
} as const satisfies Catalogue

export const callSentence = sentencesOf(callWords)
