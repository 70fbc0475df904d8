import { quotingSentencesOf } from '@/lib/base/catalogue'

/** What somebody said yes to once and for all. */
export const grantSentence = quotingSentencesOf({
  'grants.title': 'What you allowed',
  'grants.none': 'You allowed nothing beyond single calls.',
  'grants.paused': 'Nothing of this runs while every call waits for your click.',
  'grants.allowed':
    'You allowed {scope}, {age}, {uses, plural, =0 {not used yet} one {used once} other {used # times}}{left, select, null {} other {, for {left} more}}.',
  'grants.take-back': 'Take back',
  'grants.take-back-of': 'Take back: {scope}',
  'grants.stands': 'It still stands. {why}',

  'grants.all.unreadable': 'something that can no longer be read, so it allows nothing',
  'grants.all.tool': 'every call of {tool}',
  'grants.all.folder': '{tool} in {folder} and all below it',
  'grants.all.arguments': '{tool} with the same arguments ({label})',
  'grants.all.arguments-name': '{tool} with the same arguments, {label}',

  'grants.unreadable': 'something that can no longer be read',
  'grants.arguments': 'this very call of {tool}',
  'grants.folder': '{tool} in {folder}',
  'grants.tool': 'every {tool}',
  'grants.every-folder': 'all folders of this chat',
  'grants.below': '{folder} and all below it',
  'grants.minutes': '{count, plural, one {# minute} other {# minutes}}',
  'grants.hours': '{count, plural, one {# hour} other {# hours}}',
  'grants.days': '{count, plural, one {# day} other {# days}}',
})
