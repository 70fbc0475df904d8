import { type Probe, user, call, type ExpectedCall } from '../probe'
import { hardArguments, quotesExample, paraphrase } from './argument-probes'
import { needsResult, stopsAfter, twoCalls } from './sequence-probes'
import { offer, crowd } from './probe-tools'

const noneFitsProbe = (id: string, tools: readonly string[], task: string): Probe => ({
  id: `none-fits-${id}`,
  kind: 'none-fits',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'words' }],
})

/** No tool fits: an answer in text is right. */
const noneFits: readonly Probe[] = [
  noneFitsProbe('capital', ['get_weather', 'set_timer'], 'What is the capital of France? One word is enough.'),
  noneFitsProbe('poem', ['convert_currency', 'get_stock_price'], 'Write two lines of verse about the sea.'),
  noneFitsProbe('thanks', ['read_file', 'write_file', 'delete_path'], 'Thank you, that was all for today!'),
  noneFitsProbe(
    'opinion',
    ['book_table', 'find_route'],
    'Which do you find harder to learn, chess or go? One sentence.',
  ),
  noneFitsProbe('translate', ['set_timer', 'turn_light'], 'What does the Latin word “aqua” mean in English?'),
  noneFitsProbe(
    'about-tool',
    ['send_email', 'create_event'],
    'Could you send mails for me, in general? Only say yes or no for now.',
  ),
  noneFitsProbe('no-weather', ['count_words', 'lookup_word'], 'Will it rain in Madrid tomorrow?'),
  noneFitsProbe('explain', ['run_query'], 'Explain in one sentence what a primary key of a table is.'),
]

const files = ['read_file', 'write_file', 'list_directory', 'search_files', 'delete_path', 'move_path'] as const
const shop = ['get_order', 'refund_order', 'find_customer', 'send_email', 'convert_currency', 'create_user'] as const
const home = ['turn_light', 'set_timer', 'play_music', 'get_weather', 'add_to_list', 'create_event'] as const
const words = ['translate_text', 'count_words', 'lookup_word', 'regex_replace', 'search_files', 'write_file'] as const

const oneOfSixProbe = (id: string, tools: readonly string[], task: string, right: ExpectedCall): Probe => ({
  id: `one-of-six-${id}`,
  kind: 'one-of-six',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls: [right] }],
})

/** Six tools, of which one is right. */
const oneOfSix: readonly Probe[] = [
  oneOfSixProbe(
    'search',
    files,
    'Which of my files mention the word “invoice”? Look everywhere.',
    call('search_files', { query: ['invoice'], folder: ['/', ''] }, ['query']),
  ),
  oneOfSixProbe(
    'list',
    files,
    'What is in the folder /projects/2026?',
    call('list_directory', { path: ['/projects/2026', '/projects/2026/'] }, ['path']),
  ),
  oneOfSixProbe(
    'rename',
    files,
    'Rename /draft.txt to /final.txt.',
    call('move_path', { from: ['/draft.txt'], to: ['/final.txt'] }, ['from', 'to']),
  ),
  oneOfSixProbe(
    'order',
    shop,
    'Where is order A-1007? Look it up.',
    call('get_order', { order_id: ['A-1007'] }, ['order_id']),
  ),
  oneOfSixProbe(
    'refund',
    shop,
    'Give 19.90 of order B-220 back to the customer.',
    call('refund_order', { order_id: ['B-220'], amount: [19.9] }, ['order_id']),
  ),
  oneOfSixProbe(
    'timer',
    home,
    'Remind me in half an hour that the cake is done.',
    call('set_timer', {
      minutes: [30],
      label: ['cake', 'the cake', 'cake is done', 'the cake is done', 'cake done', ''],
    }),
  ),
  oneOfSixProbe(
    'music',
    home,
    'I want to hear “So What” by Miles Davis.',
    call('play_music', { title: ['So What'], artist: ['Miles Davis'] }),
  ),
  oneOfSixProbe(
    'word',
    words,
    'What does “petrichor” mean? Use the dictionary.',
    call('lookup_word', { word: ['petrichor'], language: ['en', ''] }),
  ),
]

const OFFERED = 21

const distractorsProbe = (id: string, tool: string, task: string, right: ExpectedCall): Probe => ({
  id: `distractors-${id}`,
  kind: 'distractors',
  question: [user(task)],
  functions: crowd(OFFERED, tool),
  rounds: [{ expect: 'calls', calls: [right] }],
})

/** The right tool among twenty others. */
const distractors: readonly Probe[] = [
  distractorsProbe(
    'stock',
    'get_stock_price',
    'What is a share of NVDA worth?',
    call('get_stock_price', { symbol: ['NVDA'] }, ['symbol']),
  ),
  distractorsProbe(
    'customer',
    'find_customer',
    'Who is the customer with the address max@example.net?',
    call('find_customer', { email: ['max@example.net'] }, ['email']),
  ),
  distractorsProbe(
    'compute',
    'compute',
    'Use your calculator: what is 1234 * 5678?',
    call('compute', { expression: ['1234*5678'] }),
  ),
  distractorsProbe(
    'image',
    'resize_image',
    'Make /photos/cat.png 640 pixels wide and 480 high; its shape may change.',
    call('resize_image', { path: ['/photos/cat.png'], width: [640], height: [480], keep_ratio: [false] }, ['path']),
  ),
  distractorsProbe(
    'config',
    'set_config',
    'Set the configuration value ui.theme to dark.',
    call('set_config', { key: ['ui.theme'], value: ['dark'] }, ['key']),
  ),
  distractorsProbe(
    'delete',
    'delete_path',
    'The file /tmp/cache.bin can go.',
    call('delete_path', { path: ['/tmp/cache.bin'] }, ['path']),
  ),
  distractorsProbe(
    'table',
    'book_table',
    'A table for four at Noma on 2027-01-09 at 19:00, please.',
    call('book_table', { restaurant: ['Noma'], people: [4], date: ['2027-01-09'], time: ['19:00'] }, ['date']),
  ),
]

/** One tool, one call. */
const oneCall: readonly Probe[] = [
  {
    id: 'one-call-weather',
    kind: 'one-call',
    question: [user('What is the weather in Lisbon right now?')],
    functions: offer('get_weather'),
    rounds: [{ expect: 'calls', calls: [call('get_weather', { city: ['Lisbon'], unit: ['celsius', ''] })] }],
  },
  {
    id: 'one-call-read',
    kind: 'one-call',
    question: [user('Read /notes/plan.md')],
    functions: offer('read_file'),
    rounds: [{ expect: 'calls', calls: [call('read_file', { path: ['/notes/plan.md'] }, ['path'])] }],
  },
  {
    id: 'one-call-currency',
    kind: 'one-call',
    question: [user('How many euros are 250 US dollars today?')],
    functions: offer('convert_currency'),
    rounds: [{ expect: 'calls', calls: [call('convert_currency', { amount: [250], from: ['USD'], to: ['EUR'] })] }],
  },
  {
    id: 'one-call-timer',
    kind: 'one-call',
    question: [user('Set a timer for 12 minutes, please. It is for the rice.')],
    functions: offer('set_timer'),
    rounds: [
      {
        expect: 'calls',
        calls: [call('set_timer', { minutes: [12], label: ['rice', 'the rice', 'for the rice', 'rice timer', ''] })],
      },
    ],
  },
  {
    id: 'one-call-list',
    kind: 'one-call',
    question: [user('Put milk, eggs and flour on my shopping list. The list is called “groceries”.')],
    functions: offer('add_to_list'),
    rounds: [
      {
        expect: 'calls',
        calls: [
          call('add_to_list', {
            list: ['groceries'],
            items: [
              ['milk', 'eggs', 'flour'],
              ['milk', 'flour', 'eggs'],
              ['eggs', 'milk', 'flour'],
            ],
          }),
        ],
      },
    ],
  },
  {
    id: 'one-call-light',
    kind: 'one-call',
    question: [user('Turn the light in the kitchen on, at 40 percent.')],
    functions: offer('turn_light'),
    rounds: [
      {
        expect: 'calls',
        calls: [call('turn_light', { room: ['kitchen', 'the kitchen'], on: [true], brightness: [40] })],
      },
    ],
  },
  {
    id: 'one-call-nested',
    kind: 'one-call',
    question: [user('Draw a square that is 30 mm wide and 30 mm high. Make it green.')],
    functions: offer('draw_shape'),
    rounds: [
      {
        expect: 'calls',
        calls: [call('draw_shape', { shape: ['square'], size: [{ width: 30, height: 30 }], colour: ['green'] })],
      },
    ],
  },
  {
    id: 'one-call-event',
    kind: 'one-call',
    question: [user('Put “Dentist” into my calendar on 14 March 2027 at 9:30. It takes the usual hour.')],
    functions: offer('create_event'),
    rounds: [
      {
        expect: 'calls',
        calls: [
          call(
            'create_event',
            {
              title: ['Dentist', 'Dentist appointment'],
              date: ['2027-03-14'],
              time: ['09:30'],
              minutes: [60, ''],
            },
            ['date'],
          ),
        ],
      },
    ],
  },
]

const probe = (id: string, tools: readonly string[], task: string): Probe => ({
  id: `must-ask-${id}`,
  kind: 'must-ask',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'words', asks: true }],
})

/** The right tool is offered, but the user left out something that it needs: the model must ask. */
const mustAsk: readonly Probe[] = [
  probe('mail', ['send_email'], 'Send a mail to my landlord about the broken heating.'),
  probe('table', ['book_table', 'find_route'], 'Book a table at Casa Pepe for tomorrow.'),
  probe('refund', ['refund_order', 'get_order'], 'Please refund my order.'),
  probe('route', ['find_route'], 'How do I get to Berlin?'),
  probe('read', ['read_file'], 'Read that file for me.'),
  probe('currency', ['convert_currency'], 'Convert 100 into yen.'),
  probe('account', ['create_user', 'find_customer'], 'Make an account for my new colleague Ada Lovelace.'),
  probe('timer', ['set_timer'], 'Set a timer for the eggs.'),
]

/** Nod's own probes, by kind. */
export const ownProbes: readonly Probe[] = [
  ...oneCall,
  ...oneOfSix,
  ...twoCalls,
  ...noneFits,
  ...mustAsk,
  ...needsResult,
  ...hardArguments,
  ...quotesExample,
  ...stopsAfter,
  ...paraphrase,
  ...distractors,
]
