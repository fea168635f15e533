import { validateAccessCode } from '@engulf/domain/ids/access-code';
import { desc, eq } from 'drizzle-orm';
import { newAccessCode } from '../../accounts/access.ts';
import { referralCodes } from '../../platform/database/people.ts';
import { type Command, defineChange, defineRead, Refusal, UsageError } from '../command.ts';
import { durationMs, optionalText, wholeNumber } from '../read-values.ts';
import { showTable } from '../show.ts';

const MAX_CODES = 1_000;
const MAX_USES = 1_000_000;

const createCodes = defineChange({
  name: 'codes create',
  about: 'Creates access codes.',
  positionals: [],
  options: {
    code: { type: 'string', value: 'CODE', about: 'The code itself; a random one if not given.' },
    count: { type: 'string', value: 'NUMBER', about: 'How many random codes; 1 if not given.' },
    uses: {
      type: 'string',
      value: 'NUMBER',
      about: 'How often each can be used, or "unlimited"; 1 if not given.',
    },
    'expires-in': {
      type: 'string',
      value: 'TIME',
      about: 'How long they are valid: 30d. For ever if not given.',
    },
  },
  prepare: async ({ admin, values }) => {
    const usesText = optionalText(values, 'uses') ?? '1';
    const maxUses =
      usesText === 'unlimited' ? null : wholeNumber(usesText, '--uses', { min: 1, max: MAX_USES });
    const expiresText = optionalText(values, 'expires-in');
    const expiresAt =
      expiresText === undefined ? null : new Date(admin.nowMs() + durationMs(expiresText, '--expires-in'));
    const own = optionalText(values, 'code');
    const number = wholeNumber(optionalText(values, 'count') ?? '1', '--count', { min: 1, max: MAX_CODES });
    if (own !== undefined && number > 1) throw new UsageError('--code and --count do not go together.');
    const codes = own === undefined ? Array.from({ length: number }, newAccessCode) : [checkedCode(own)];
    const known = new Set((await admin.db.select().from(referralCodes)).map(({ code }) => code));
    const taken = codes.find((code) => known.has(code));
    if (taken) throw new Refusal(`The code ${taken} exists already.`);
    const uses = maxUses === null ? 'unlimited uses' : `${maxUses} use${maxUses === 1 ? '' : 's'}`;
    const until = expiresAt ? `valid until ${expiresAt.toISOString()}` : 'valid for ever';
    return {
      lines: [`${codes.length} access code${codes.length === 1 ? '' : 's'}, ${uses} each, ${until}`],
      apply: async ({ note, report }) => {
        await admin.db.transaction(async (tx) => {
          const createdAt = new Date(admin.nowMs());
          await tx
            .insert(referralCodes)
            .values(codes.map((code) => ({ code, maxUses, expiresAt, createdAt })));
          await note(tx, 'codes', { after: { codes, maxUses, expiresAt } });
        });
        for (const code of codes) report(code);
      },
    };
  },
});

function checkedCode(text: string): string {
  const code = validateAccessCode(text);
  if (!code.ok || !/^[A-Za-z0-9]+$/.test(code.value)) {
    throw new UsageError(`An access code has 3 to 6 letters and digits, not "${text}".`);
  }
  return code.value.toUpperCase();
}

const listCodes = defineRead({
  name: 'codes list',
  about: 'Lists the access codes, newest first.',
  positionals: [],
  options: {},
  read: async ({ admin }) => {
    const rows = await admin.db.select().from(referralCodes).orderBy(desc(referralCodes.createdAt));
    return showTable(
      rows.map(({ code, uses, maxUses, expiresAt, createdAt }) => ({
        code,
        uses,
        maxUses: maxUses ?? 'unlimited',
        expires: expiresAt,
        isValid: isValid({ uses, maxUses, expiresAt }, admin.nowMs()),
        created: createdAt,
      })),
      'There are no access codes yet. Run: npm run engulf -- codes create --help',
    );
  },
});

type CodeLimits = Pick<typeof referralCodes.$inferSelect, 'uses' | 'maxUses' | 'expiresAt'>;

function isValid({ uses, maxUses, expiresAt }: CodeLimits, nowMs: number): boolean {
  return (maxUses === null || uses < maxUses) && (expiresAt === null || expiresAt.getTime() > nowMs);
}

const revokeCode = defineChange({
  name: 'codes revoke',
  about: 'Makes an access code invalid. Users who have redeemed it keep their access.',
  positionals: ['code'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => {
    const code = text!.toUpperCase();
    const [row] = await admin.db.select().from(referralCodes).where(eq(referralCodes.code, code));
    if (!row) throw new Refusal(`There is no access code ${code}.`);
    const isOver = row.expiresAt !== null && row.expiresAt.getTime() <= admin.nowMs();
    return {
      lines: isOver ? [] : [`the access code ${code} is no longer valid`],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          const expiresAt = new Date(admin.nowMs());
          await tx.update(referralCodes).set({ expiresAt }).where(eq(referralCodes.code, code));
          await note(tx, code, { before: { expiresAt: row.expiresAt }, after: { expiresAt } });
        });
      },
    };
  },
});

export const CODE_COMMANDS: readonly Command[] = [createCodes, listCodes, revokeCode];
