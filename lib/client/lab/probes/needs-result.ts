import type { JsonValue } from '@/lib/base/json'
import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (
  id: string,
  tools: readonly string[],
  task: string,
  [first, result]: readonly [ExpectedCall, JsonValue],
  second: ExpectedCall,
): Probe => ({
  id: `needs-result-${id}`,
  kind: 'needs-result',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [
    { expect: 'calls', calls: [first], results: [result] },
    { expect: 'calls', calls: [second] },
  ],
})

/** The second call needs what the first one gave. */
export const needsResult: readonly Probe[] = [
  probe(
    'file',
    ['list_directory', 'read_file'],
    'There is one file in /inbox. Read it.',
    [
      call('list_directory', { path: ['/inbox', '/inbox/'] }, ['path']),
      { entries: [{ name: 'k7-q2.txt', size: 120 }] },
    ],
    call('read_file', { path: ['/inbox/k7-q2.txt'] }, ['path']),
  ),
  probe(
    'mail',
    ['find_customer', 'get_order', 'refund_order'],
    'The customer lin@example.com wants her last order back in full. Find the customer first, then look up that order.',
    [
      call('find_customer', { email: ['lin@example.com'] }, ['email']),
      { name: 'Lin Wu', last_order: 'Z-8812', country: 'SG' },
    ],
    call('get_order', { order_id: ['Z-8812'] }, ['order_id']),
  ),
  probe(
    'money',
    ['get_stock_price', 'convert_currency'],
    'What does one share of ACME cost in Swiss francs (CHF)? First get its price, then convert it.',
    [call('get_stock_price', { symbol: ['ACME'] }, ['symbol']), { price: 41.5, currency: 'USD' }],
    call('convert_currency', { amount: [41.5], from: ['USD'], to: ['CHF'] }),
  ),
  probe(
    'search',
    ['search_files', 'read_file', 'write_file'],
    'Find the file that mentions “blue-heron” and then read it.',
    [
      call('search_files', { query: ['blue-heron'], folder: ['/', ''] }, ['query']),
      { matches: [{ path: '/archive/2019/birds.md', line: 4 }] },
    ],
    call('read_file', { path: ['/archive/2019/birds.md'] }, ['path']),
  ),
  probe(
    'copy',
    ['read_file', 'write_file'],
    'Copy /motd.txt to /backup/motd.txt: read it, then write the same text.',
    [call('read_file', { path: ['/motd.txt'] }, ['path']), { content: 'Welcome aboard.\nMind the gap.' }],
    call(
      'write_file',
      {
        path: ['/backup/motd.txt'],
        content: ['Welcome aboard.\nMind the gap.', 'Welcome aboard.\nMind the gap.\n'],
      },
      ['path', 'content'],
    ),
  ),
  probe(
    'order',
    ['get_order', 'refund_order'],
    'Look up order M-5 and refund exactly what was paid for it.',
    [call('get_order', { order_id: ['M-5'] }, ['order_id']), { id: 'M-5', paid: 73.25, status: 'delivered' }],
    call('refund_order', { order_id: ['M-5'], amount: [73.25] }, ['order_id']),
  ),
  probe(
    'translate',
    ['read_file', 'translate_text'],
    'Read /greeting.txt and translate what stands in it into French, using the tools.',
    [call('read_file', { path: ['/greeting.txt'] }, ['path']), { content: 'Good morning, dear guests' }],
    call('translate_text', { text: ['Good morning, dear guests'], to: ['fr'] }),
  ),
]
