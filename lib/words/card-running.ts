import { quotingSentencesOf } from '@/lib/base/catalogue'

/** What a card says of a call that runs, of what it changed, and of results that were not sent. */
export const runningSentence = quotingSentencesOf({
  'card-running.queued': 'It begins when its turn has come. Nothing of it has run yet.',
  'card-running.not-run': 'Don’t run',
  'card-running.here': 'in your browser',
  'card-running.elsewhere': 'in another tab of your browser',
  /** `begun`: the code runs; else what it waits for is said below. */
  'card-running.stops-after':
    '{begun, select, true {stops by itself after {span}} other {may run for {span} once it begins}}',
  'card-running.stop': 'Stop',
  'card-running.code': 'code',
  'card-running.call': 'call',

  /** `changes`: how many files and folders. */
  'card-running.review': 'It ran, and would change {changes}. Nothing has reached your files yet.',
  'card-running.review-closed': 'If the page is closed or reloaded now, none of it is kept.',
  'card-running.keep': 'Keep',
  'card-running.discard': 'Discard',

  'card-running.did-created': 'It created {what}.',
  'card-running.did-deleted': 'It deleted {what}.',
  'card-running.did-moved': 'It moved {what} to {to}.',
  'card-running.did-changed': 'It changed {what}.',
  'card-running.did': '{all, sentences}',
  'card-running.undone': 'undone by you',
  'card-running.undo': 'Undo',
  'card-running.redo': 'Redo',
  'card-running.undo-later': 'Undo the later changes to it too',
  'card-running.told-undone': 'You told the model in a message.',
  'card-running.offered-undone':
    'A sentence about it was put into your message below. The model knows of it once you send that.',
  'card-running.untold-undone': 'The model does not know that you undid this.',
  'card-running.tell': 'Tell the model',

  /** How a sentence about a card begins that broke. */
  'card-running.card': 'This card',
  'card-running.unsent': 'These results have not been sent to the model yet.',
  'card-running.continue': 'Continue',
})
