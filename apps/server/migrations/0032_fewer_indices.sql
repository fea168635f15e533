DROP INDEX "entries_lobby_id_state_index";--> statement-breakpoint
DROP INDEX "entries_address_hash_created_at_index";--> statement-breakpoint
DROP INDEX "entries_ended";--> statement-breakpoint
DROP INDEX "ledger_accounts_lobby_id_index";--> statement-breakpoint
CREATE INDEX "entries_live_of_lobby" ON "entries" USING btree ("lobby_id","state") WHERE "entries"."state" in ('created', 'payment_processing', 'ticketSent', 'playing');--> statement-breakpoint
CREATE INDEX "entries_of_address" ON "entries" USING btree ("address_hash","created_at") WHERE "entries"."address_hash" is not null;--> statement-breakpoint
CREATE INDEX "payouts_of_batch" ON "payouts" USING btree ("batch_id") WHERE "payouts"."batch_id" is not null;