-- The postings so far become the first partition of a table of the same name, which old and new versions use alike. Locked
-- in the order in which postings are written, so that nobody who is writing some can be in the way for good.
LOCK TABLE "ledger_transactions", "ledger_accounts" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "ledger_postings" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "ledger_postings" RENAME TO "ledger_postings_0";--> statement-breakpoint
ALTER INDEX "ledger_postings_pkey" RENAME TO "ledger_postings_0_pkey";--> statement-breakpoint
ALTER INDEX "ledger_postings_transaction_key_index" RENAME TO "ledger_postings_0_transaction_key_index";--> statement-breakpoint
ALTER INDEX "ledger_postings_debit_index" RENAME TO "ledger_postings_0_debit_index";--> statement-breakpoint
ALTER INDEX "ledger_postings_credit_index" RENAME TO "ledger_postings_0_credit_index";--> statement-breakpoint
CREATE TABLE "ledger_postings" (LIKE "ledger_postings_0" INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE ("id");--> statement-breakpoint
ALTER SEQUENCE "ledger_postings_id_seq" OWNED BY "ledger_postings"."id";--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_pkey" PRIMARY KEY ("id");--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_transaction_key_ledger_transactions_key_fk" FOREIGN KEY ("transaction_key") REFERENCES "ledger_transactions"("key");--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_debit_ledger_accounts_id_fk" FOREIGN KEY ("debit") REFERENCES "ledger_accounts"("id");--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_credit_ledger_accounts_id_fk" FOREIGN KEY ("credit") REFERENCES "ledger_accounts"("id");--> statement-breakpoint
CREATE INDEX "ledger_postings_transaction_key_index" ON "ledger_postings" ("transaction_key");--> statement-breakpoint
CREATE INDEX "ledger_postings_debit_index" ON "ledger_postings" ("debit");--> statement-breakpoint
CREATE INDEX "ledger_postings_credit_index" ON "ledger_postings" ("credit");--> statement-breakpoint
CREATE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_postings"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- With room for as many postings again, and 20 million more: the worker adds the next partition long before.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE ledger_postings ATTACH PARTITION ledger_postings_0 FOR VALUES FROM (MINVALUE) TO (%s)',
    20000000 + 2 * (SELECT coalesce(max(id), 0) FROM ledger_postings_0));
END
$$;--> statement-breakpoint
-- Takes what no partition is for, so that a posting never waits for one.
CREATE TABLE "ledger_postings_rest" PARTITION OF "ledger_postings" DEFAULT;--> statement-breakpoint
CREATE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_postings_rest"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
