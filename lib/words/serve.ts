import { errorsOf, type Catalogue } from '@/lib/base/catalogue'

/** What whoever runs the server reads of its processes. */
export const serveWords = {
  'serve.base-path':
    'NOD_BASE_PATH is “{basePath}”, but this was built to stand under “{built, select, empty {/} other {{built}}}”. Build it again with the same NOD_BASE_PATH, or leave it out.',
  'serve.not-listening': 'The server could not listen: {why}.',
  'serve.broken': 'The server could not answer.',
  'serve.code': 'with code {code}',
  'serve.signal': 'by {signal}',
  'serve.not-started': 'A worker ended before it could serve ({how}), and another one would too. See above.',
  'serve.worker-died':
    'Worker {place} (process {pid}) ended {how}. {waitMs, plural, =0 {Another one takes its place.} other {Another one takes its place in {waitMs, span}.}}',
  'serve.unnamed-proxy':
    'Requests come by a proxy (X-Forwarded-For) that NOD_TRUST_PROXY does not name: limits by address hold for nobody behind it. Set NOD_TRUST_PROXY to 1, or to the network of the proxy.',
  'serve.unnamed-stranger':
    'Requests come by a proxy (X-Forwarded-For) that NOD_TRUST_PROXY does not name, or somebody pretends to be one: all who come by it are counted as one address. Set NOD_TRUST_PROXY to 1, or to the network of the proxy.',
  'serve.name-the-proxy':
    'Accounts are on and a proxy on this machine is expected (NOD_ALLOWED_HOSTS), but NOD_TRUST_PROXY does not name it: no visitor has an address of their own, so no limit by address holds. Set NOD_TRUST_PROXY=loopback.',
  'serve.small-budget':
    'The budget of {tokens, plural, one {# token} other {# tokens}} a day for {whose, select, everybody {everybody together} each {each person} anonymous {each person without an account} user {each person with an account} other {each administrator}}{of, select, all {} other { and the models {models}}} is smaller than one message needs: at least {least, number} are set aside for the instructions of the tools and the answer. Every message is refused. Raise it (NOD_BUDGET_TOKENS_PER_DAY, NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON, or “budgets” in nod.config.json).',
  'serve.held-back':
    'A visitor is held back because many came from the same address. Where a proxy or a network (NAT, Docker) stands between, all may come from one: name the proxy in NOD_TRUST_PROXY, or raise the limits “per address”.',
} as const satisfies Catalogue

export const serveError = errorsOf(serveWords)
