import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const files = ['read_file', 'write_file', 'list_directory', 'search_files', 'delete_path', 'move_path'] as const
const shop = ['get_order', 'refund_order', 'find_customer', 'send_email', 'convert_currency', 'create_user'] as const
const home = ['turn_light', 'set_timer', 'play_music', 'get_weather', 'add_to_list', 'create_event'] as const
const words = ['translate_text', 'count_words', 'lookup_word', 'regex_replace', 'search_files', 'write_file'] as const

const probe = (id: string, tools: readonly string[], task: string, right: ExpectedCall): Probe => ({
  id: `one-of-six-${id}`,
  kind: 'one-of-six',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls: [right] }],
})

/** Six tools, of which one is right. */
export const oneOfSix: readonly Probe[] = [
  probe(
    'search',
    files,
    'Which of my files mention the word “invoice”? Look everywhere.',
    call('search_files', { query: ['invoice'], folder: ['/', ''] }, ['query']),
  ),
  probe(
    'list',
    files,
    'What is in the folder /projects/2026?',
    call('list_directory', { path: ['/projects/2026', '/projects/2026/'] }, ['path']),
  ),
  probe(
    'rename',
    files,
    'Rename /draft.txt to /final.txt.',
    call('move_path', { from: ['/draft.txt'], to: ['/final.txt'] }, ['from', 'to']),
  ),
  probe('order', shop, 'Where is order A-1007? Look it up.', call('get_order', { order_id: ['A-1007'] }, ['order_id'])),
  probe(
    'refund',
    shop,
    'Give 19.90 of order B-220 back to the customer.',
    call('refund_order', { order_id: ['B-220'], amount: [19.9] }, ['order_id']),
  ),
  probe(
    'timer',
    home,
    'Remind me in half an hour that the cake is done.',
    call('set_timer', {
      minutes: [30],
      label: ['cake', 'the cake', 'cake is done', 'the cake is done', 'cake done', ''],
    }),
  ),
  probe(
    'music',
    home,
    'I want to hear “So What” by Miles Davis.',
    call('play_music', { title: ['So What'], artist: ['Miles Davis'] }),
  ),
  probe(
    'word',
    words,
    'What does “petrichor” mean? Use the dictionary.',
    call('lookup_word', { word: ['petrichor'], language: ['en', ''] }),
  ),
]
