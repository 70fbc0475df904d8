import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What somebody is told of what they used, keep, and may delete. */
export const usageWords = {
  'use.budget':
    '{left, number} of {mine, select, true {your} other {the server’s}} {limit, number} tokens{models, select, all {} other { for {models}}} are left today.',
  'use.resets':
    'They are counted anew at midnight UTC, in {hours, plural, =0 {less than an hour} one {# hour} other {# hours}}.',
  'use.kept':
    'The server keeps {chats, plural, one {# chat} other {# chats}} of yours with {messages, plural, one {# message} other {# messages}}: {bytes, bytes}{maxBytes, select, null {} other { of {maxBytes, bytes}}}{presets, plural, =0 {} one {, and # preset} other {, and # presets}}.',
  'use.retention':
    'A chat that nobody touches for {days, plural, one {# day} other {# days}} is deleted with all that belongs to it. Export what you want to keep.',
  'use.question':
    '{chats, plural, one {# chat} other {# chats}} with {messages, plural, one {# message} other {# messages}} ({bytes, bytes}) go from the server for good, with {presets, plural, =0 {what new chats begin with} one {# preset and what new chats begin with} other {# presets and what new chats begin with}}, and from this browser their files, what you typed, what waits to be sent, its models with their keys and weights, and your labs. Replies that are being written stop. There is no undo.',
  'use.half-done': '{why} Some of it may be deleted already; try again to delete the rest.',
  'use.files-stay':
    'The chats are deleted from the server. This browser did not let go of all their files, or of its models or labs: close other tabs of Nod, then try again.',
  'use.would-refuse':
    'A message would be refused now: it takes about {needs, number} tokens, and {left, number} of {mine, select, true {yours} other {the server’s}}{models, select, all {} other { for {models}}} are left today. {models, select, all {} other {Another model may have some. }}What you type is kept.',
  'use.kept-until':
    'This chat is kept until {day}: chats that nobody touches for {days, plural, one {# day} other {# days}} are deleted with all that belongs to them. A new message keeps it on.',
} as const satisfies Catalogue

export const usageSentence = sentencesOf(usageWords)
