/** What a route does; its body schema comes from the route itself. */
export interface Operation {
  readonly summary: string
  /** The response's content: a type of `lib/shared`, whose fields are listed too, or a shape. */
  readonly answer: string
  /** Query parameters and what they do. */
  readonly query?: Readonly<Record<string, string>>
  /** Request headers beyond the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** If the request can be repeated: what identifies it. */
  readonly idempotentBy?: string
}

const noContent = '204'
const after = 'the `next` of the page before'
const writer = { 'x-nod-writer': 'the key of the tab that writes the reply' }

const memoryQuery = {
  project: 'the memory of this project; without it, your own',
  chat: 'the memory that a call of this chat changes',
  of: 'with `chat`: `project` for that of its project',
}

/** Every operation, by method and path. `scripts/generate/http-api.test.ts` compares the keys with the routes. */
export const operations: Readonly<Record<string, Operation>> = {
  'GET /api/conversations': {
    summary: 'List chats, newest first; pinned chats come first',
    answer: 'ConversationsResponse',
    query: {
      q: 'text in titles',
      after,
      archived: '`1`: archived chats',
      tag: 'chats with this tag',
      project: 'chats in this project',
    },
  },
  'POST /api/conversations': {
    summary: 'Create a chat',
    answer: '{ conversation: Conversation }',
    idempotentBy: '`id`',
  },
  'PATCH /api/conversations': {
    summary: 'Pin, archive, tag, move, delete or restore many chats; unknown ids are skipped',
    answer: 'ChatsSorted',
  },
  'GET /api/conversations/:id': {
    summary: 'Read a chat',
    answer: 'ConversationView',
    query: { last: 'an outline and at most this many messages (1 to 200)' },
  },
  'PATCH /api/conversations/:id': {
    summary: 'Change title, settings, the branch that is shown, or what is left out of prompts',
    answer: '{ conversation: Conversation }',
  },
  'DELETE /api/conversations/:id': { summary: 'Delete a chat now, without a way back', answer: noContent },
  'GET /api/conversations/:id/messages': {
    summary: 'Read messages by id, in the requested order; the page can end early',
    answer: 'MessagesPage',
    query: { ids: 'up to 100 ids, separated by commas' },
  },
  'PATCH /api/conversations/:id/messages': {
    summary: 'Delete messages with their calls and results, or restore them within two minutes',
    answer: 'ChangedMessagesPage',
    idempotentBy: 'the ids',
  },
  'POST /api/conversations/:id/title': {
    summary: 'Ask the chat’s model for a title; stores nothing and counts as a reply',
    answer: '{ title: string }',
  },
  'GET /api/conversations/:id/export': {
    summary: 'Export a chat without its files',
    answer: 'ConversationExport, as an attachment',
  },
  'POST /api/conversations/import': {
    summary: 'Import a chat',
    answer: '{ conversation: Conversation }',
    idempotentBy: '`id`',
  },
  'POST /api/conversations/known': { summary: 'Which of these chats exist', answer: '{ known: string[] }' },
  'GET /api/conversations/:id/log': {
    summary: 'Read the log of decisions, oldest first',
    answer: 'LogPage',
    query: { after: 'a sequence number' },
  },
  'GET /api/conversations/:id/attachments/:messageId/:number': {
    summary: 'Read a picture that was sent to models',
    answer: 'the picture',
  },
  'GET /api/conversations/:id/file-places': { summary: 'Which browsers hold files of a chat', answer: '{ places }' },
  'PUT /api/conversations/:id/file-places': {
    summary: 'Record how many files of a chat this browser holds',
    answer: noContent,
  },
  'POST /api/chat': {
    summary: 'Append a message, tool results, or a request for another reply; starts a run',
    answer: 'ChatResponse',
    idempotentBy: '`append.id`',
  },
  'GET /api/runs/:id/events': {
    summary: 'Stream the events of a run; ends after `end`',
    answer: 'NDJSON of RunEvent',
    query: { after: 'a sequence number', places: '`1`: also the position in the queue' },
  },
  'POST /api/runs/:id/stop': { summary: 'Stop a run', answer: noContent },
  'GET /api/runs/:id/prompt': {
    summary: 'Read the prompt of a run that a tab writes',
    answer: 'TabPrompt',
    query: { connected: 'a registered tool that this page can run; can be repeated' },
    headers: writer,
  },
  'POST /api/runs/:id/pieces': {
    summary: 'Send text of a run that a tab writes; without pieces it is a heartbeat',
    answer: 'TabRunState',
    headers: writer,
    idempotentBy: 'the numbers of the pieces',
  },
  'POST /api/runs/:id/end': {
    summary: 'End a run that a tab writes',
    answer: 'TabRunState',
    headers: writer,
  },
  'POST /api/conversations/:id/calls': { summary: 'Run, deny or skip a tool call', answer: 'DecideCallResponse' },
  'PUT /api/conversations/:id/calls': { summary: 'Store the outcome of a tool call', answer: '{ call: CallRecord }' },
  'PATCH /api/conversations/:id/calls': {
    summary: 'Send, change or withhold a result that waits for approval',
    answer: '{ call: CallRecord }',
  },
  'POST /api/conversations/:id/calls/relay': {
    summary: 'Send a granted call to the operator’s tool server that it is for, once',
    answer: 'JSON lines of `RelayLine`',
  },
  'PUT /api/conversations/:id/calls/relay': {
    summary: 'Answer a question that the tool server asks during such a call, once',
    answer: noContent,
  },
  'POST /api/conversations/:id/calls/inner': {
    summary: 'Run or deny a tool that the code of a running call asks for, once',
    answer: 'DecideCallResponse',
  },
  'PUT /api/conversations/:id/calls/inner': {
    summary: 'Store the outcome of a tool that code called',
    answer: '{ call: CallRecord }',
  },
  'POST /api/conversations/:id/calls/web': {
    summary: 'Read the page or search the web as an approved call says, once',
    answer: '{ answer: WebAnswer }',
  },
  'POST /api/conversations/:id/looks': {
    summary: 'Make a link for deciding on a waiting call, or on a copy, on another device',
    answer: 'CallLink',
  },
  'GET /api/looks/:token': { summary: 'Get the call or the copy that a link is for', answer: 'LinkView' },
  'POST /api/looks/:token': { summary: 'Decide on what a link is for', answer: 'LinkAnswered' },
  'DELETE /api/looks/:token': { summary: 'Withdraw a link for a reviewer', answer: noContent },
  'POST /api/conversations/:id/calls/stop': {
    summary: 'Record that a running call was stopped',
    answer: '{ call: CallRecord }',
  },
  'POST /api/conversations/:id/calls/reason': {
    summary: 'Add the reason to a denial that the model was not told yet',
    answer: '{ call: CallRecord }',
  },
  'PUT /api/conversations/:id/amendments': {
    summary: 'Change a tool call before it runs, or take the change back',
    answer: '{ amendments: CallAmendment[] } of the message',
  },
  'POST /api/conversations/:id/grants': {
    summary: 'Keep an approval, given on a call of the chat or after a copy',
    answer: '{ grant: Grant }',
    idempotentBy: '`id`',
  },
  'PUT /api/conversations/:id/grants/:grantId': {
    summary: 'End the work on a copy of the files, or let a kept approval keep its changes',
    answer: '{ grant }',
  },
  'DELETE /api/conversations/:id/grants/:grantId': { summary: 'Revoke a kept approval', answer: '{ grant }' },
  'PUT /api/conversations/:id/tools': {
    summary: 'Register a tool for one chat',
    answer: '{ tools: RegisteredTool[] }',
    idempotentBy: '`name`',
  },
  'DELETE /api/conversations/:id/tools': {
    summary: 'Remove a registered tool',
    answer: '{ tools: RegisteredTool[] }',
    query: { name: 'its name' },
  },
  'PUT /api/conversations/:id/servers': {
    summary: 'Move a chat to the approved tools of these tool servers',
    answer: 'ToolsOfChat',
    idempotentBy: 'the approved sets',
  },
  'GET /api/servers': { summary: 'List tool servers (MCP)', answer: 'ToolServersResponse' },
  'PUT /api/servers/:id': {
    summary: 'Add a tool server or change it; `tools` are what its owner approved',
    answer: '{ server: ToolServer }',
    idempotentBy: '`id`',
  },
  'DELETE /api/servers/:id': { summary: 'Remove a tool server', answer: noContent },
  'POST /api/servers/:id/tools': {
    summary: 'List the tools of a server that the operator runs, now',
    answer: '{ listed } with `server` and `tools`',
  },
  'POST /api/servers/:id/offer': {
    summary: 'Ask a server that the operator runs for its prompts and resources, for people',
    answer: '{ offer } with `prompts`, `resources` and `pieces`',
  },
  'GET /api/python': {
    summary: 'The Python packages that the operator added',
    answer: '{ packages }',
  },
  'GET /api/python/:hash': { summary: 'The wheel of a package, by its SHA-256', answer: 'the wheel' },
  'GET /api/tool-sets/:hash': { summary: 'The tools of an approved set, by its SHA-256', answer: 'ToolSetResponse' },
  'POST /api/conversations/:id/shares': {
    summary: 'Share a copy of a chat by a link',
    answer: 'the link and its entry',
  },
  'GET /api/search': {
    summary: 'Find messages that contain all words, newest first',
    answer: 'FoundPage',
    query: { q: 'the words', after },
  },
  'GET /api/tags': { summary: 'List tags with their counts', answer: 'TagsResponse' },
  'GET /api/shares': {
    summary: 'List links',
    answer: 'SharesResponse',
    query: { chat: 'links of this chat only' },
  },
  'DELETE /api/shares/:id': { summary: 'End a link', answer: noContent },
  'POST /api/shared/:token': {
    summary: 'Copy a shared chat',
    answer: '{ conversation: Conversation }',
    idempotentBy: '`id`',
  },
  'GET /api/models': { summary: 'List models, the default model and problems of sources', answer: 'ModelsResponse' },
  'PUT /api/new-chats': { summary: 'Set the settings of new chats', answer: '{ setup: ChatSetup | null }' },
  'GET /api/presets': { summary: 'List presets in their order', answer: 'PresetsResponse' },
  'POST /api/presets': { summary: 'Add a preset', answer: '{ preset: Preset }' },
  'PATCH /api/presets': { summary: 'Reorder presets', answer: 'PresetsResponse' },
  'PATCH /api/presets/:id': { summary: 'Change a preset', answer: '{ preset: Preset }' },
  'DELETE /api/presets/:id': { summary: 'Delete a preset', answer: noContent },
  'GET /api/projects': { summary: 'List projects by name', answer: '{ projects }' },
  'POST /api/projects': { summary: 'Add a project', answer: '{ project }', idempotentBy: '`id`' },
  'PATCH /api/projects/:id': { summary: 'Change a project', answer: '{ project }' },
  'DELETE /api/projects/:id': { summary: 'Delete a project with its memory; its chats stay', answer: noContent },
  'GET /api/memory': {
    summary: 'Read a memory',
    answer: '{ memory }',
    query: memoryQuery,
  },
  'PUT /api/memory': {
    summary: 'Replace the text of a memory; `version` is the one that you read',
    answer: '{ memory }',
    query: memoryQuery,
  },
  'GET /api/use': { summary: 'What this owner used and stores, and what is left', answer: 'UseView' },
  'DELETE /api/use': { summary: 'Delete all data of this owner, and the cookie', answer: 'AllDeleted' },
  'POST /api/lab/trials': {
    summary: 'Ask a model once, outside of any chat; stores nothing',
    answer: 'NDJSON of TrialLine',
  },
  'POST /api/access': {
    summary: 'Enter the access token; form fields `token` and `next`',
    answer: '303, with a cookie',
  },
  'GET /api/account': { summary: 'The account, its sessions and sign-in methods', answer: 'the account' },
  'DELETE /api/account': { summary: 'Delete the account and its chats', answer: 'the result, and expired cookies' },
  'POST /api/account/sign-up': { summary: 'Create an account', answer: 'the way on, and cookies' },
  'POST /api/account/sign-in': { summary: 'Sign in with a password', answer: 'the way on, and cookies' },
  'POST /api/account/sign-out': { summary: 'Sign out here or everywhere', answer: 'expired cookies' },
  'POST /api/account/oidc': { summary: 'Begin to sign in at the OpenID Connect provider', answer: '{ url: string }' },
  'POST /api/account/password': { summary: 'Change the password', answer: '{}' },
  'POST /api/account/reset': { summary: 'Set a new password with a code', answer: '{}' },
  'DELETE /api/account/sessions': { summary: 'End all other sessions', answer: '{ ended: number }' },
  'DELETE /api/account/sessions/:id': { summary: 'End a session', answer: noContent },
  'GET /api/auth/callback/:provider': { summary: 'Where the provider sends the browser back', answer: 'a redirect' },
  'PATCH /api/admin/accounts/:id': { summary: 'Change an account’s role, or disable it', answer: noContent },
  'DELETE /api/admin/accounts/:id': { summary: 'Delete an account', answer: noContent },
  'POST /api/admin/accounts/:id/reset': { summary: 'Make a link to reset a password', answer: 'the link' },
  'DELETE /api/admin/accounts/:id/sessions': { summary: 'End all sessions of an account', answer: '{ ended: number }' },
  'POST /api/admin/invitations': { summary: 'Make an invitation', answer: 'the link' },
  'DELETE /api/admin/invitations/:id': { summary: 'Revoke an invitation', answer: noContent },
  'GET /api/health': { summary: 'The process answers', answer: '{ status }' },
  'GET /api/ready': {
    summary: 'The server accepts requests; 503 otherwise',
    answer: '{ status, store, workers, replies, maxReplies, full }',
    query: { full: '`503`: also answer 503 when no more replies fit' },
  },
  'GET /api/metrics': {
    summary: 'Metrics for Prometheus, if `NOD_METRICS_TOKEN` is set',
    answer: 'text',
    headers: { authorization: '`Bearer` and the token' },
  },
}
