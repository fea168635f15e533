CREATE TABLE "operator_transactions" (
	"signature" text PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"wire" text NOT NULL,
	"last_valid_block_height" numeric(20, 0) NOT NULL,
	"status" text NOT NULL,
	"failure_reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "super_admin_proposals" (
	"new_super_admin" text PRIMARY KEY NOT NULL,
	"proposed_by" text NOT NULL,
	"proposed_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "lobbies" DROP CONSTRAINT "lobbies_name_unique";--> statement-breakpoint
ALTER TABLE "referral_codes" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "banned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "ban_reason" text;--> statement-breakpoint
ALTER TABLE "lobbies" ADD COLUMN "stage" text DEFAULT 'ready' NOT NULL;--> statement-breakpoint
ALTER TABLE "lobbies" ADD COLUMN "next_entry_fee" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "lobbies" ADD COLUMN "drains_at_ms" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "held_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "hold_reason" text;--> statement-breakpoint
CREATE UNIQUE INDEX "operator_transactions_one_open" ON "operator_transactions" USING btree ("subject") WHERE "operator_transactions"."status" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "lobbies_name_unique" ON "lobbies" USING btree ("name") WHERE "lobbies"."stage" <> 'removed';