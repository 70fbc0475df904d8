import { errorsOf, refusalsOf, type Catalogue } from '@/lib/base/catalogue'
import { wrongFormWords } from './wrong-form'

/** What the server refuses of a request, and what keeps it from answering. */
export const serverWords = {
  'server.broken':
    'Something went wrong on the server. Try again; your messages are kept.{request, select, null {} other { Should it stay so, tell whoever runs it the name of this request: {request}}}',
  'server.wrong-host':
    'This server does not answer to the name it was asked by. Open it by its own address, or add the name to NOD_ALLOWED_HOSTS.',
  'server.access-needed': 'This server asks for its access token first. Reload the page.',
  'server.metrics-token': 'The metrics are for who says NOD_METRICS_TOKEN, as Authorization: Bearer.',
  'server.other-site': 'This request came from another site, so it was refused.',
  'server.too-many-requests':
    'Too many requests in a short time, from you or from your network. Wait {seconds, seconds} and try again.',
  'server.too-many-newcomers':
    'Too many new visitors in a short time, from your network or in all. Wait {seconds, seconds} and try again.',
  'server.too-many-bytes':
    'From your network {limit, bytes} may be stored a day, and today’s are used. Nothing was stored now; what you wrote is still here. They are counted anew in {seconds, seconds}, at midnight UTC.',
  'server.draining': 'The server is being restarted. Replies that it writes are being finished; send nobody here.',
  'server.updating':
    'The server is starting: it is bringing the tables of its database up to date, step {step, number} of {total, number}. Try again in a moment.',
  'server.nothing-here': 'There is nothing under this address.',
  'server.bad-address':
    'The address of this request cannot be read. Ask for a path of this server, with valid escapes.',
  'server.bad-method': 'Requests of this kind are not answered.',
  'server.no-picture': 'There is no such picture.',
  'server.after-no-number': '`after` must be a whole number from 0 up.',
  'server.bad-place': '`after` must be what the page before said in `next`.',
  'server.bad-last': '`last` must be a whole number from 1 to {most}.',
  'server.bad-ids': '`ids` must be ids of messages with commas between them, {most} at most.',
  'server.not-json': 'The request must be JSON (application/json).',
  'server.bad-json': 'The request is not valid JSON.',
  'server.bad-utf8': 'The request is not valid UTF-8.',
  'server.wrong-form': `The request does not have the expected form{where, select, empty {} other { at {where}}}: ${wrongFormWords}.`,
  'server.too-large': 'This is larger than the {maxBytes, bytes} that can be sent at once. Make it shorter.',
  'server.broke-off': 'The request broke off.',
  'server.too-slow': 'The request arrived too slowly, so it was given up. Try again on a better connection.',
  'server.busy': 'The server is receiving too much at once. Try again in a moment.',

  'server.settings-wrong': 'The settings of this server have mistakes. Its log names them.',
  'server.secret-damaged': 'The secret in {file} is damaged. Delete the file to start with a new one.',
  'server.folder-not-writable': 'The data folder {folder} cannot be written. Make it writable, or set NOD_DATA_DIR.',
  'server.named-database-not-opened': "The database named by DATABASE_URL could not be opened. See the server's log.",
  'server.database-not-opened': "The database in {folder} could not be opened. See the server's log.",
} as const satisfies Catalogue

export const serverError = errorsOf(serverWords)
export const serverRefusal = refusalsOf(serverWords)
