import { type Probe, user, call } from '../probe'
import { hardArguments, quotesExample, paraphrase } from './argument-probes'
import { needsResult, stopsAfter, twoCalls } from './sequence-probes'
import { noneFits, oneOfSix, distractors } from './choice-probes'
import { offer } from './probe-tools'

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
