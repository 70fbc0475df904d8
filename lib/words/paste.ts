import { sentencesOf } from '@/lib/base/catalogue'

export const pasteSentence = sentencesOf({
  'paste.name': 'Any chat, by copy and paste',
  'paste.about':
    'For a model that no program reaches: you copy the prompt into any other chat, and bring its reply back. Its calls become cards here, and run here when you say so.',
  'paste.native':
    'The call format Native needs a server that takes schemas, and a text can’t carry them. Choose another call format for this chat, then ask again.',
  'paste.section': 'Copy and paste',
  'paste.use': 'Use this reply',
  'paste.part': 'How much of the prompt',
  'paste.part-new': 'What is new',
  'paste.part-whole': 'Everything',
  'paste.prompt': 'The prompt',
  'paste.copy': 'Copy the prompt',
  'paste.copied': 'Copied',
  'paste.not-copied': 'Not allowed: select the text and copy it',
  /** After the model's name. */
  'paste.doing': 'waits for you',
  'paste.take': 'Copy this into the other chat',
  /** `before`: messages that the other chat has. */
  'paste.new':
    'Only what is new: the chat that gave the last reply has the {before, plural, one {# message} other {# messages}} before.',
  'paste.after': 'Only what came after the last reply: enough for a chat that has all that stands before.',
  'paste.whole': 'Everything, for a new chat.',
  'paste.untold':
    'Everything: this tab does not know whether the chat that gave the last reply has all that stands before.',
  'paste.pictures':
    '{count, plural, one {# picture is} other {# pictures are}} not in the text: attach {count, plural, one {it} other {them}} there by hand.',
  'paste.bring': 'Paste its reply here',
  'paste.how':
    'Use the other chat’s own copy button. What is selected on its page may lack marks that calls are read by.',
  'paste.offline':
    'The server can’t be reached now. Copy the prompt and paste the reply all the same: it is kept in this tab. Back within a few seconds it goes on; later, press Retry under this reply, and prompt and paste are here again.',
  'paste.given':
    'What you pasted is kept in this tab, and the server can’t be reached now. It is read as soon as the connection is back; if that takes more than a few seconds, press Retry under this reply, and it is here again.',
  'paste.without':
    'A chat’s prompts, cards and results come with its server. The playground needs none: it reads a reply that you paste there, runs its calls when you say so, and has their results to copy.',
  'paste.playground': 'Open the playground beside this',
  'paste.elsewhere':
    'Another tab asked for this reply by copy and paste, and it can only be pasted there. Or stop it, and ask again here.',
})
