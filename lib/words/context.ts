import { quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** How much of a chat its model is sent, and what a person leaves out of it. */
export const contextSentence = quotingSentencesOf({
  'context.line': 'about {tokens, number} tokens',
  'context.line-of':
    'about {tokens, number} of {windowTokens, number} tokens{messages, plural, =0 {} one {, # earlier message stays behind} other {, # earlier messages stay behind}}',
  'context.part-details': 'Details',
  'context.title': 'What the next message sends',
  'context.of': 'About {tokens, number} of the {windowTokens, number} tokens that {model} takes.',
  'context.of-unknown': 'About {tokens, number} tokens. How much {model} takes is not known.',
  'context.this-model': 'this model',
  'context.part.system': 'Your system prompt',
  'context.part.tools': 'Tools and call format',
  'context.part.history': 'Messages',
  'context.part.attachments': 'Files and pictures',
  'context.part.draft': 'What you are writing',
  'context.room':
    'Up to about {room, number} go in: the rest is kept for the answer, and for what an estimate may miss.',
  'context.left-out':
    '{messages, plural, one {# earlier message is} other {# earlier messages are}} not sent: there is no room. Nothing is deleted.',
  'context.compacted': 'You left out {messages, plural, one {# earlier message} other {# earlier messages}}.',
  'context.guessed': 'Estimated: {model} has not counted a prompt in this browser yet.',
  'context.learnt':
    'Estimated, and set right by what {model} counted for earlier replies: {ratio, number} times as much.',
  'context.agrees': 'Estimated; what {model} counted for earlier replies agrees with it.',
  'context.last': 'The last reply',
  'context.first': 'First word after {span, span}',
  'context.speed': '{perSecond, number} tokens a second',
  'context.used':
    '{tokensIn, number} tokens read{cached, plural, =0 {} other { (# still there from before)}}, {tokensOut, number} written',
  'context.unsaid': 'Its provider did not say how many tokens it took.',
  'context.cost': 'Cost {cost, cost}; all replies of this branch {all, cost}',
  'context.make-room': 'Make room …',
  'context.near':
    'This chat fills {share, share} of what {model} takes. When it is full, its oldest messages are no longer sent; nothing is deleted. Make room yourself, or choose a model that takes more.',
  'context.over':
    'This chat is longer than {model} takes: its {messages, plural, one {oldest message is} other {# oldest messages are}} no longer sent. Nothing is deleted. Say yourself what stays, or choose a model that takes more.',
  'context.dismiss': 'Dismiss',

  'room.part': 'Room',
  'room.title': 'Make room',
  'room.about':
    'Choose what the model is not sent any more. Nothing is deleted: the messages stay in this chat, and can be sent again at any time.',
  'room.too-short': 'There is nothing to leave out yet: what you said last always stays, with all that followed.',
  'room.before': 'Leave out everything before',
  'room.choice': '{text} (wins about {tokens, number} tokens)',
  'room.unread': 'a message that is not loaded yet',
  'room.leaves': 'What leaves',
  'room.you': 'You',
  'room.assistant': 'Assistant',
  'room.results': 'Results',
  'room.tokens': 'about {tokens, number}',
  'room.stays': '{tokens, number}, stays',
  'room.place': 'In their place',
  'room.summary': 'A summary',
  'room.summary-hint': 'Yours to write and to change, or written by the model first.',
  'room.nothing': 'Nothing',
  'room.nothing-hint': 'The chat is cut from its start. The model is told how many messages are missing.',
  'room.field': 'Summary',
  'room.write': 'Let {model} write it',
  'room.write-hint': 'That is one reply: about {tokens, number} tokens are sent. You read it before it counts.',
  'room.writing': '{model} is writing …',
  'room.stop': 'Stop',
  'room.partly':
    '{messages, plural, one {The oldest # message does} other {The oldest # messages do}} not fit into one question: the summary will not know {messages, plural, one {it} other {them}}.',
  'room.loading': 'Older messages are being loaded …',
  'room.not-written': 'The summary was not written. {why} You can write it by hand.',
  'room.cut-short': 'The model stopped early: read the end.',
  'room.by-person': 'Replies of this model are brought by hand: ask it for a summary yourself, and paste it here.',
  'room.wins':
    '{messages, plural, one {# message leaves} other {# messages leave}}, about {tokens, number} tokens are won{pinned, plural, =0 {} one {; # that is pinned stays} other {; # that are pinned stay}}.',
  'room.wins-nothing': 'Nothing is won: what stands in their place is as long as what leaves.',
  'room.apply': 'Leave them out',
  'room.cancel': 'Cancel',
  'room.not-kept': 'It could not be kept, so nothing has changed. {why}',

  'line.label': 'Left out above',
  'line.cut':
    '{messages, plural, one {The message above is} other {The # messages above are}} not sent to the model any more{pinned, plural, =0 {.} one {, except # that is pinned.} other {, except # that are pinned.}}',
  'line.summary': 'The summary in their place',
  'line.change': 'change',
  'line.undo': 'send them again',
  'line.not-undone': 'They are still left out. {why}',

  'pin.pin': 'Pin for the model',
  'pin.unpin': 'Unpin for the model',
  'pin.why': 'A pinned message is sent also when those around it are left out',
} as const satisfies Catalogue)
