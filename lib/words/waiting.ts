import { sentencesOf } from '@/lib/base/catalogue'

/** What waits for the person in a chat, and what becomes of it when they write something else. */
export const stillWaitingSentence = sentencesOf({
  'waiting.paste-interrupted':
    'Nothing was pasted before the tab that waited for it was closed, reloaded or without its server for more than a few seconds. Retry brings the prompt back, and with it what was pasted in this tab.',
  'waiting.calls': '{count, plural, one {1 call waits for you} other {# calls wait for you}}',
  'waiting.skips': 'skips {count, plural, one {the waiting call} other {# waiting calls}}',
  'waiting.keeps': 'keeps {count, plural, one {the result that waits} other {# results that wait}} from the model',
  'waiting.goes-on':
    'does not stop {count, plural, one {the call that has not come back} other {# calls that have not come back}}: the model is told so now, and how it ended with a later message',
  'waiting.write-on': 'Writing something else {what, and}.',
})
