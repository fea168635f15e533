CREATE TABLE "granted_token_accounts" (
	"wallet" text NOT NULL,
	"mint" text NOT NULL,
	"batch_id" uuid NOT NULL,
	CONSTRAINT "granted_token_accounts_wallet_mint_pk" PRIMARY KEY("wallet","mint")
);
--> statement-breakpoint
CREATE TABLE "signer_log" (
	"batch_id" uuid PRIMARY KEY NOT NULL,
	"description_hash" text NOT NULL,
	"lobby_id" numeric(20, 0) NOT NULL,
	"mint" text,
	"amount" numeric(20, 0) NOT NULL,
	"payout_ids" text[] NOT NULL,
	"last_valid_block_height" numeric(20, 0) NOT NULL,
	"refusal" jsonb,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payout_batches" ALTER COLUMN "signature" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_batches" ALTER COLUMN "wire" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_batches" ADD COLUMN "description" jsonb;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "released_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "granted_token_accounts" ADD CONSTRAINT "granted_token_accounts_batch_id_payout_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."payout_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "signer_log_at_index" ON "signer_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "signer_log_payout_ids_index" ON "signer_log" USING gin ("payout_ids");