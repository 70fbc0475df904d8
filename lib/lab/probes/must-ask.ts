import { user, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (id: string, tools: readonly string[], task: string): Probe => ({
  id: `must-ask-${id}`,
  kind: 'must-ask',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'words', asks: true }],
})

/** The right tool is there, and something that it needs was not said: the model has to ask. */
export const mustAsk: readonly Probe[] = [
  probe('mail', ['send_email'], 'Send a mail to my landlord about the broken heating.'),
  probe('table', ['book_table', 'find_route'], 'Book a table at Casa Pepe for tomorrow.'),
  probe('refund', ['refund_order', 'get_order'], 'Please refund my order.'),
  probe('route', ['find_route'], 'How do I get to Berlin?'),
  probe('read', ['read_file'], 'Read that file for me.'),
  probe('currency', ['convert_currency'], 'Convert 100 into yen.'),
  probe('account', ['create_user', 'find_customer'], 'Make an account for my new colleague Ada Lovelace.'),
  probe('timer', ['set_timer'], 'Set a timer for the eggs.'),
]
