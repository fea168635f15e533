CREATE TABLE "referral_codes" (
	"code" text PRIMARY KEY NOT NULL,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"input" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_in_sessions_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wallet_address" text NOT NULL,
	"name" text NOT NULL,
	"avatar_url" text,
	"role" text DEFAULT 'player' NOT NULL,
	"referral_code" text,
	"is_raffle_winner" boolean DEFAULT false NOT NULL,
	"multiplier_hundredths" integer DEFAULT 100 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_walletAddress_unique" UNIQUE("wallet_address")
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"lobby_id" uuid NOT NULL,
	"state" text NOT NULL,
	"payment_session_id" uuid NOT NULL,
	"entry_fee" numeric(20, 0) NOT NULL,
	"stake" numeric(20, 0) DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state_expires_at" timestamp with time zone,
	"ticket_id" text,
	"held_by" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"outcome" text,
	"payout_amount" numeric(20, 0),
	"final_mass_milli" integer,
	"failure" jsonb,
	CONSTRAINT "entries_paymentSessionId_unique" UNIQUE("payment_session_id")
);
--> statement-breakpoint
CREATE TABLE "lobbies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain_lobby_id" numeric(20, 0),
	"name" text NOT NULL,
	"lobby_type" text NOT NULL,
	"token_symbol" text NOT NULL,
	"token_decimals" integer NOT NULL,
	"token_mint" text,
	"entry_fee" numeric(20, 0) NOT NULL,
	"free_lobby_entry_usd" numeric(20, 0),
	"max_players" integer NOT NULL,
	"bot_count" integer DEFAULT 0 NOT NULL,
	"max_entries_per_user" integer,
	"is_locked" boolean DEFAULT false NOT NULL,
	"daily_open_windows" jsonb,
	"lobby_code" text,
	"region" text,
	"sort_order" integer NOT NULL,
	"reconciled_up_to" text,
	CONSTRAINT "lobbies_chainLobbyId_unique" UNIQUE("chain_lobby_id"),
	CONSTRAINT "lobbies_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "matches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lobby_id" uuid NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"final_tick" integer NOT NULL,
	"world_hash" text NOT NULL,
	"recording" text NOT NULL,
	"players" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"signature" text NOT NULL,
	"lobby_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	"nth" integer DEFAULT 0 NOT NULL,
	"entry_id" uuid,
	"status" text NOT NULL,
	"heard_at_block_height" numeric(20, 0),
	"slot" numeric(20, 0),
	"platform_fee" numeric(20, 0),
	"stake" numeric(20, 0),
	"failure_code" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"lobby_id" uuid NOT NULL,
	"balance" numeric(30, 0) NOT NULL,
	CONSTRAINT "ledger_accounts_side" CHECK (case when "ledger_accounts"."kind" in ('pool', 'treasury') then "ledger_accounts"."balance" <= 0 else "ledger_accounts"."balance" >= 0 end)
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transaction_key" text NOT NULL,
	"debit" text NOT NULL,
	"credit" text NOT NULL,
	"amount" numeric(20, 0) NOT NULL,
	CONSTRAINT "ledger_postings_amount" CHECK ("ledger_postings"."amount" > 0),
	CONSTRAINT "ledger_postings_sides" CHECK ("ledger_postings"."debit" <> "ledger_postings"."credit")
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"key" text PRIMARY KEY NOT NULL,
	"lobby_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lobby_id" uuid NOT NULL,
	"signature" text NOT NULL,
	"wire" text NOT NULL,
	"last_valid_block_height" numeric(20, 0) NOT NULL,
	"status" text NOT NULL,
	"failure_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "payout_batches_signature_unique" UNIQUE("signature")
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lobby_id" uuid NOT NULL,
	"entry_id" uuid,
	"payment_id" uuid,
	"user_id" uuid,
	"wallet" text NOT NULL,
	"amount" numeric(20, 0) NOT NULL,
	"is_refund" boolean NOT NULL,
	"status" text NOT NULL,
	"batch_id" uuid,
	"failed_attempts" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "payouts_entryId_unique" UNIQUE("entry_id"),
	CONSTRAINT "payouts_paymentId_unique" UNIQUE("payment_id"),
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount" > 0),
	CONSTRAINT "payouts_cause" CHECK (num_nonnulls("payouts"."entry_id", "payouts"."payment_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "sign_in_sessions" ADD CONSTRAINT "sign_in_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_referral_code_referral_codes_code_fk" FOREIGN KEY ("referral_code") REFERENCES "public"."referral_codes"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_transaction_key_ledger_transactions_key_fk" FOREIGN KEY ("transaction_key") REFERENCES "public"."ledger_transactions"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_debit_ledger_accounts_id_fk" FOREIGN KEY ("debit") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_credit_ledger_accounts_id_fk" FOREIGN KEY ("credit") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_batch_id_payout_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."payout_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_sessions_user_id_index" ON "sign_in_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_sessions_expires_at_index" ON "sign_in_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_name_unique" ON "users" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "entries_one_live_per_user" ON "entries" USING btree ("user_id") WHERE "entries"."state" in ('created', 'payment_processing', 'ticketSent', 'playing');--> statement-breakpoint
CREATE INDEX "entries_lobby_id_state_index" ON "entries" USING btree ("lobby_id","state");--> statement-breakpoint
CREATE INDEX "entries_user_id_created_at_index" ON "entries" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "entries_ended" ON "entries" USING btree ("ended_at") WHERE "entries"."state" = 'ended';--> statement-breakpoint
CREATE INDEX "matches_lobby_id_ended_at_index" ON "matches" USING btree ("lobby_id","ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_once" ON "payments" USING btree ("signature","lobby_id","wallet","nth");--> statement-breakpoint
CREATE INDEX "payments_entry_id_index" ON "payments" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "payments_verifying" ON "payments" USING btree ("created_at") WHERE "payments"."status" = 'verifying';--> statement-breakpoint
CREATE INDEX "ledger_accounts_lobby_id_index" ON "ledger_accounts" USING btree ("lobby_id");--> statement-breakpoint
CREATE INDEX "ledger_postings_transaction_key_index" ON "ledger_postings" USING btree ("transaction_key");--> statement-breakpoint
CREATE INDEX "ledger_postings_debit_index" ON "ledger_postings" USING btree ("debit");--> statement-breakpoint
CREATE INDEX "ledger_postings_credit_index" ON "ledger_postings" USING btree ("credit");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_batches_one_open" ON "payout_batches" USING btree ("lobby_id") WHERE "payout_batches"."status" = 'open';--> statement-breakpoint
CREATE INDEX "payouts_lobby_id_status_index" ON "payouts" USING btree ("lobby_id","status");--> statement-breakpoint
CREATE INDEX "payouts_user_id_created_at_index" ON "payouts" USING btree ("user_id","created_at");