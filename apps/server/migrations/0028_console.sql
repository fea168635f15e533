CREATE TABLE "console_minutes" (
	"at" timestamp with time zone PRIMARY KEY NOT NULL,
	"players" integer NOT NULL,
	"slow_tick_ms" double precision,
	"lamports_in" numeric(20, 0) NOT NULL,
	"lamports_out" numeric(20, 0) NOT NULL,
	"payout_ms" double precision,
	"last_posting" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_requests" (
	"nonce" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"asked" jsonb NOT NULL,
	"lines" jsonb NOT NULL,
	"text" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_bans" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "game_processes" ADD COLUMN "slow_tick_ms" double precision;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "signed_text" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "signature" text;--> statement-breakpoint
ALTER TABLE "console_requests" ADD CONSTRAINT "console_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_bans" ADD CONSTRAINT "chat_bans_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "console_requests_expires_at_index" ON "console_requests" USING btree ("expires_at");