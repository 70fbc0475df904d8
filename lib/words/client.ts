import { refusalsOf, type Catalogue } from '@/lib/base/catalogue'

/** What this page says of the server and of what it could not do; all of it may be needed while the server is away. */
export const clientWords = {
  'client.aborted': 'Stopped.',
  'client.unreachable': 'The server can’t be reached.',
  'client.broke-off': 'The server’s answer broke off. Try again.',
  'client.empty-answer': 'The server’s answer was empty.',
  'client.refused': 'The server refused this ({status}).',
  'client.broken': 'Something went wrong in this page. Reload it; your messages are kept.',
  'client.part-missing':
    'A part of Nod could not be loaded, so nothing happened. Check your connection, then try again.',
  'client.still-waits': 'A message of yours still waits to be sent. What you typed now stays in the field.',
  'client.not-stopped': '{why} The reply goes on.',
  'client.settings-not-saved': '{why} The settings were not saved.',
  'client.models-not-listed': '{why} The list of models is the one from before.',
} as const satisfies Catalogue

export const clientRefusal = refusalsOf(clientWords)
