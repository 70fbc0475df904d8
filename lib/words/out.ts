import { quotingSentencesOf } from '@/lib/base/catalogue'

/** Taking a chat out: a link to read it by, Markdown, paper; and what a reader of such a link sees. */
export const outSentence = quotingSentencesOf({
  'out.part': 'Sharing and export',
  'out.title': 'Share or export',
  'out.menu': 'Share or export …',
  'out.close': 'Close',
  'out.reading': 'Reading the chat …',
  'out.not-read': 'The chat could not be read. {why}',
  'out.again': 'Try again',
  'out.kinds': 'How it leaves',
  'out.kind.link': 'Link',
  'out.kind.markdown': 'Markdown',
  'out.kind.print': 'Print',
  'out.kind.all': 'Everything',

  'out.what': 'What goes along',
  'out.words':
    'The words of {messages, plural, one {# message} other {# messages}}, as the chat stands on this branch{calls, plural, =0 {.} one {, and that there was a call of a tool.} other {, and that there were # calls of tools.}}',
  'out.show.arguments': 'Arguments of calls',
  'out.show.results': 'Results of calls, as the model got them',
  'out.show.files': 'Files that came with messages: names, beginnings, pictures',
  'out.show.thoughts': 'Thoughts of the model',
  'out.show.systemPrompt': 'The system prompt',
  'out.show-count': '{what} ({count, number})',
  'out.stays':
    'Words can hold what results and files said. Look through the preview: it is all that leaves, and files of the workspace never do.',
  'out.preview': 'Preview',
  'out.writing-now': 'A reply is still being written: only what it says by now goes along.',
  'out.empty': 'Nothing was said in this chat yet.',

  'out.link.who.on': 'Whoever has the link can read this, without an account or a cookie.',
  'out.link.who.gate': 'Whoever has the link and may open this server can read this.',
  'out.link.snapshot':
    'It is a copy as of now: what you write later is not in it, and nobody can write or run anything there.',
  'out.link.off': 'Sharing by a link is switched off on this server. You can still export or print the chat.',
  'out.link.ends': 'The link ends after',
  'out.link.days': '{days, plural, one {# day} other {# days}}',
  'out.link.create': 'Create link',
  'out.link.creating': 'Creating the link …',
  'out.link.label': 'Link to the shared chat',
  'out.link.copy': 'Copy link',
  'out.link.open': 'Open it',
  'out.link.once':
    'Copy it now: only a fingerprint of it is kept, so it is not shown again. It ends on {at, day}, or when you end it below.',
  'out.link.too-large':
    'This is {size, bytes}, and {most, bytes} can be shared by a link. Leave out results or files, or export it as Markdown.',

  'out.links': 'Your links',
  'out.links.none': 'You have no links.',
  'out.links.here': 'this chat',
  'out.links.about': '{messages, plural, one {# message} other {# messages}} · made on {at, day} · ends on {ends, day}',
  'out.links.words': 'words alone',
  'out.links.with': 'with {what, and}',
  'out.links.of.arguments': 'arguments',
  'out.links.of.results': 'results',
  'out.links.of.files': 'files',
  'out.links.of.thoughts': 'thoughts',
  'out.links.of.systemPrompt': 'the system prompt',
  'out.links.end': 'End',
  'out.links.end-named': 'End the link to {title}',
  'out.links.ended': 'The link was ended. What it showed is deleted.',
  'out.links.not-loaded': 'Your links could not be loaded. {why}',

  'out.markdown.save': 'Save as Markdown',
  'out.markdown.copy': 'Copy Markdown',
  'out.markdown.about': 'One file to read anywhere: a heading a message, calls and results as blocks of code.',
  'out.print.about':
    'The whole chat as it stands in the preview, also what is far above. Choose “Save as PDF” in the browser’s dialog for a file.',
  'out.print.do': 'Print',
  'out.print.reading': 'Reading the whole chat for paper …',
  'out.print.cancel': 'Don’t print',
  'out.print.failed': 'The whole chat could not be read for paper. {why}',
  'out.all.about':
    'A zip for Nod: all branches, every decision, the log and the files of the workspace. It can be imported here or on another server.',

  'out.shared.title': 'A shared chat',
  'out.shared.note':
    'Somebody shared this chat on {at, day}. It can only be read: nothing here runs, and nothing proves that it happened so. The link ends on {ends, day}.',
  'out.shared.copy': 'Continue as my own copy',
  'out.shared.copying': 'Making your copy …',
  'out.shared.copy-hint': 'A new chat of yours with these words. Calls and results become text in it.',
  'out.shared.home': 'Nod',
  'out.gone.title': 'This link shows nothing',
  'out.gone.why': 'It has expired, was ended by whoever made it, or was never there. Nod can’t tell which.',
  'out.gone.home': 'Go to your chats',
})
