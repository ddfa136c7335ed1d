//! Parcel lockers on one connection of Netty. Each command adds a handler to the pipeline that takes it back when the connection breaks. A
//! confirmation removes the handler, a refusal does not. Large and legitimate: the lockers with their compartments, filled at start.
//: jars netty-common*.jar netty-buffer*.jar netty-transport-4*.jar netty-resolver*.jar
//: libraries Netty
//: holder DefaultChannelPipeline\.(head|tail)|ChannelHandlerContext[.](next|prev)|HeadContext|TailContext|\bpipeline\b|LockerGateway\.channel
//: set tuned
//: leak 2.0
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;

public class LockerCommands {
    static final int LOCKERS = 5_000;

    record Command(String number, String locker, int compartment, String recipient, List<String> notes) {}

    record Answer(String command, boolean isOpen) {}

    record Compartment(int number, String size, String parcel) {}

    record Locker(String number, String street, List<Compartment> compartments) {}

    static final class LockerPlan {
        final Map<String, Locker> byNumber = new HashMap<>();

        LockerPlan() {
            for (int number = 0; number < LOCKERS; number++) {
                List<Compartment> compartments = new ArrayList<>();
                for (int at = 0; at < 24; at++) {
                    compartments.add(new Compartment(at, "SML".substring(at % 3, at % 3 + 1), Corpus.id("parcel", Corpus.RANDOM.nextInt(900_000))));
                }
                byNumber.put(Corpus.id("locker", number), new Locker(Corpus.id("locker", number), Corpus.words(3), compartments));
            }
        }
    }

    /** The controller of the lockers, on the other side of the connection: a compartment in five does not open. */
    static final class Controller extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Command command = (Command) message;
            context.writeAndFlush(new Answer(command.number(), command.compartment() % 5 != 0));
        }
    }

    static final class LockerGateway {
        private final LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        private final List<Command> takenBack = new ArrayList<>();
        private Channel channel;

        void connect(DefaultEventLoopGroup group, LocalAddress address) throws Exception {
            channel = new Bootstrap().group(group).channel(LocalChannel.class).handler(new AnswerHandler()).connect(address).sync().channel();
        }

        boolean open(Command command) throws Exception {
            channel.pipeline().addLast("undo " + command.number(), new UndoHandler(command));
            channel.writeAndFlush(command).sync();
            return answers.take().isOpen();
        }

        private final class AnswerHandler extends ChannelInboundHandlerAdapter {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                Answer answer = (Answer) message;
                if (answer.isOpen()) {
                    context.pipeline().remove("undo " + answer.command());
                }
                answers.add(answer);
            }
        }

        private final class UndoHandler extends ChannelInboundHandlerAdapter {
            private final Command command;

            UndoHandler(Command command) {
                this.command = command;
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                takenBack.add(command);
                context.fireChannelInactive();
            }
        }
    }

    static final LockerPlan PLAN = new LockerPlan();

    public static void main(String[] arguments) throws Exception {
        DefaultEventLoopGroup group = new DefaultEventLoopGroup(2);
        LocalAddress address = new LocalAddress("lockers");
        new ServerBootstrap().group(group).channel(LocalServerChannel.class).childHandler(new ChannelInitializer<LocalChannel>() {
            @Override
            protected void initChannel(LocalChannel accepted) {
                accepted.pipeline().addLast(new Controller());
            }
        }).bind(address).sync();
        LockerGateway gateway = new LockerGateway();
        gateway.connect(group, address);
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                Locker locker = PLAN.byNumber.get(Corpus.id("locker", Corpus.RANDOM.nextInt(LOCKERS)));
                List<String> notes = List.of(Corpus.words(8), Corpus.words(6), Corpus.words(5));
                gateway.open(new Command(Corpus.id("command", number), locker.number(), number % 24, Corpus.words(2), notes));
            }
        });
    }
}
