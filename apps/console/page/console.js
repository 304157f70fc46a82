// The operator's page: it shows what the read API says, and asks for nothing else.
import { byId, facts, fill } from './dom.js';
import { follow, hasCredential, read, readPage, useCredential } from './reads.js';
import {
  alarmItem,
  chatEntry,
  itemEntry,
  letterCount,
  letterEntry,
  proofEntry,
  signalEntry,
  timelineEntry,
  transactionRow,
} from './views.js';

const statuses = [
  'COLLECTING_PARAMETERS',
  'PRE_VALIDATION',
  'AWAITING_CONFIRMATION',
  'EXECUTING',
  'OUTCOME_UNKNOWN',
  'INTERRUPTED',
  'COMPLETED',
  'CANCELLED',
  'OUT_OF_SCOPE',
  'FAILED',
  'EXPIRED',
];

/** Signals that the page shows at most, and the time between two looks at what is not live. */
const shownSignals = 200;
const refreshMs = 5_000;

const state = {
  tenant: 'default',
  stopFollowing: () => undefined,
  isPaused: false,
  next: undefined,
  opener: null,
  conversation: null,
};

start();

function start() {
  for (const status of statuses) byId('status').append(new Option(status, status));
  const { searchParams } = new URL(location.href);
  byId('tenant').value = searchParams.get('tenant_id') ?? state.tenant;
  byId('sign-in-form').addEventListener('submit', (event) => submitted(event, signIn));
  // With the page everything goes that it knows: the credential, and what it has read.
  byId('sign-out').addEventListener('click', () => location.reload());
  byId('tenant-form').addEventListener('submit', (event) => submitted(event, showTenant));
  byId('transactions-form').addEventListener('submit', (event) => submitted(event, () => guarded(showTransactions)));
  byId('family').addEventListener('change', followSignals);
  byId('pause').addEventListener('click', togglePause);
  byId('more').addEventListener('click', () => guarded(showOlder));
  byId('prove').addEventListener('click', () => guarded(showProof));
  byId('close-transaction').addEventListener('click', closeTransaction);
  showTenant();
  setInterval(() => byId('content').hidden || guarded(refresh), refreshMs);
}

function submitted(event, then) {
  event.preventDefault();
  then();
}

/** The tenant is that of the credential; the server says which. */
async function signIn() {
  const field = byId('credential');
  useCredential(field.value.trim());
  field.value = '';
  try {
    const { tenant_id: tenant } = await read('/v1/overview');
    byId('tenant').value = tenant;
  } catch (error) {
    return askForCredential(error);
  }
  byId('tenant').readOnly = true;
  byId('sign-in-problem').textContent = '';
  byId('sign-in-form').hidden = true;
  byId('sign-out').hidden = false;
  byId('content').hidden = false;
  showTenant();
}

/** What a credential has shown is not left for whoever comes after it. */
function askForCredential({ message, isMissing }) {
  useCredential(null);
  state.stopFollowing();
  byId('connection').textContent = 'Not connected';
  byId('content').hidden = true;
  byId('sign-out').hidden = true;
  byId('sign-in-form').hidden = false;
  if (!isMissing) byId('sign-in-problem').textContent = message;
  byId('sign-in-problem').hidden = byId('sign-in-problem').textContent === '';
  byId('credential').focus();
}

function showTenant() {
  state.tenant = byId('tenant').value.trim();
  closeTransaction();
  followSignals();
  void guarded(async () => {
    await refresh();
    await showTransactions();
  });
}

/** Runs a read; what goes wrong is said on the page, and the page goes on. */
async function guarded(work) {
  try {
    await work();
    byId('problem').hidden = true;
  } catch (error) {
    if (error.needsCredential) return askForCredential(error);
    byId('problem').textContent = error.message;
    byId('problem').hidden = false;
  }
}

async function refresh() {
  const tenant_id = state.tenant;
  const [overview, alarms, letters, unowned] = await Promise.all([
    read('/v1/overview', { tenant_id }),
    read('/v1/alarms', { tenant_id }),
    read('/v1/dead-letters', { tenant_id }),
    // Letters of no tenant may hold anybody's data: no credential of a tenant shows them.
    hasCredential() ? { counts: [], letters: [] } : read('/v1/dead-letters', { tenant_id: 'unknown' }),
  ]);
  if (tenant_id !== state.tenant) return;
  showOverview(overview);
  showList({ list: 'alarms', empty: 'alarms-empty' }, alarms.alarms.map(alarmItem));
  showLetters([letters, unowned]);
}

function showOverview({ transactions, alarms, dead_letters: letters, is_catching_up: isCatchingUp }) {
  const counted = transactions.map(({ status, outcome, count }) => [outcome ? `${status}, ${outcome}` : status, count]);
  const raised = Object.entries(alarms).map(([severity, count]) => [`Alarms, ${severity}`, count]);
  const news = isCatchingUp ? [['Reading', 'what came before; alarms and dead letters are not complete yet']] : [];
  fill(byId('overview'), facts([...counted, ...raised, ['Dead letters', letters], ...news]));
}

function showLetters(answers) {
  const counts = answers.flatMap((answer) => answer.counts);
  const letters = answers.flatMap((answer) => answer.letters);
  fill(byId('letter-counts'), counts.map(letterCount));
  // A letter that somebody reads stays open: the list is made anew only when it has changed.
  const shown = letters.map(({ event_id: id, sent_again: sent }) => `${id}/${sent?.times ?? 0}`).join(' ');
  if (byId('letters').dataset.shown === shown) return;
  byId('letters').dataset.shown = shown;
  showList({ list: 'letters', empty: 'letters-empty' }, letters.map(letterEntry));
}

function showList({ list, empty }, entries) {
  fill(byId(list), entries);
  byId(empty).hidden = entries.length > 0;
}

async function showTransactions() {
  const filters = Object.fromEntries(new FormData(byId('transactions-form')));
  const { body, next } = await readPage('/v1/transactions', { ...filters, tenant_id: state.tenant, limit: '25' });
  fill(
    byId('transactions'),
    body.map((transaction) => transactionRow(transaction, openTransaction)),
  );
  byId('transactions-table').hidden = body.length === 0;
  byId('transactions-empty').hidden = body.length > 0;
  offerMore(next);
}

async function showOlder() {
  const { body, next } = await readPage(state.next);
  byId('transactions').append(...body.map((transaction) => transactionRow(transaction, openTransaction)));
  offerMore(next);
}

function offerMore(next) {
  state.next = next;
  byId('more').hidden = next === undefined;
}

function openTransaction(id, opener) {
  state.opener = opener;
  void guarded(async () => {
    const transaction = await read(`/v1/transactions/${encodeURIComponent(id)}`, { tenant_id: state.tenant });
    const chat = await read(`/v1/conversations/${encodeURIComponent(transaction.conversation_key)}/chat`);
    showTransaction(transaction, chat);
  });
}

function showTransaction(transaction, chat) {
  const { transaction_id: id, items, timeline } = transaction;
  const named = {
    Transaction: id,
    Conversation: transaction.conversation_key,
    Agent: transaction.agent_id,
    Tool: transaction.tool,
    State: transaction.status,
    Outcome: transaction.outcome ?? 'none yet',
    Arguments: JSON.stringify(transaction.arguments),
  };
  fill(byId('facts'), facts(Object.entries(named)));
  fill(byId('items'), items.map(itemEntry));
  fill(byId('chat'), chat.map(chatEntry));
  fill(byId('timeline'), timeline.map(timelineEntry));
  fill(byId('proof'), []);
  state.conversation = transaction.conversation_key;
  byId('transaction').hidden = false;
  byId('transaction-title').focus();
}

/** Each word for what `latch` means by it: the first one proves the events that the others trust. */
async function showProof() {
  const conversation = state.conversation;
  const address = `/v1/conversations/${encodeURIComponent(conversation)}`;
  const found = await Promise.all(['verify', 'rebuild', 'redecide'].map((word) => read(`${address}/${word}`)));
  if (conversation !== state.conversation) return;
  const [verified, rebuilt, redecided] = found;
  fill(byId('proof'), [
    proofEntry('The events are what was written', verified),
    proofEntry('They fold to the stored state', rebuilt),
    proofEntry('Every decision comes out again', redecided),
  ]);
}

/** Whoever works with the keyboard goes on where the transaction was opened. */
function closeTransaction() {
  byId('transaction').hidden = true;
  state.opener?.focus();
  state.opener = null;
}

function followSignals() {
  state.stopFollowing();
  fill(byId('signals'), []);
  const wanted = { tenant: state.tenant, family: byId('family').value, latest: 50 };
  state.stopFollowing = follow(wanted, {
    onSignal: showSignal,
    onConnected: ({ is_incomplete: isIncomplete }) => {
      byId('gap').hidden = !isIncomplete;
      byId('connection').textContent = 'Live';
    },
    onDenied: askForCredential,
    onRefused: () => {
      byId('connection').textContent = 'Not connected';
    },
    onLost: () => {
      byId('connection').textContent = 'Connecting again';
    },
  });
}

function showSignal(signal) {
  if (state.isPaused) return;
  const list = byId('signals');
  list.prepend(signalEntry(signal));
  while (list.childElementCount > shownSignals) list.lastElementChild.remove();
}

function togglePause() {
  state.isPaused = !state.isPaused;
  byId('pause').setAttribute('aria-pressed', String(state.isPaused));
  byId('pause').textContent = state.isPaused ? 'Go on' : 'Pause';
  if (!state.isPaused) followSignals();
}
