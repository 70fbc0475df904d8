import { sentencesOf, toldOf } from '@/lib/base/catalogue'

/** What code waits for before it begins. */
export const runSentence = sentencesOf({
  'run.turn': 'Waiting for its turn',
  /** Of 1,000,000 bytes each. */
  'run.python-loads': 'Loading Python, {done, number} of {of, number} MB',
  'run.python-starts': 'Starting Python',
})

/** Why the sandbox could not run code to its end; for the model, too. */
export const runTold = toldOf({
  'run.closed': 'The sandbox was closed.',
  'run.not-started':
    'The sandbox did not start. Reload the page; if that does not help, an extension may block frames.',
  'run.started-late':
    'The language did not start in time: its files could not be loaded. Check the network, then try again.',
  'run.out-of-memory':
    'The browser ended the sandbox while the code ran. This happens when code uses all the memory it may have. Nothing else was affected: change the code to hold less at once, then try again.',
  'run.gone':
    'The sandbox stopped answering: the code used all the memory it may have, or sent too much. Nothing else was affected: change the code to hold less at once, then try again.',
  'run.flooded': 'The code was stopped: it sent too many {what, select, calls {file operations} other {messages}}.',
})
